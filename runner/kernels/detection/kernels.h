#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; detection.cpp lists them.
extern const Kernel combinedNonMaxSuppression;
extern const Kernel nonMaxSuppression;
extern const Kernel nonMaxSuppressionV2;
extern const Kernel nonMaxSuppressionV3;
extern const Kernel nonMaxSuppressionV4;
extern const Kernel nonMaxSuppressionV5;
extern const Kernel nonMaxSuppressionWithOverlaps;

} // namespace lapidary::kernels
