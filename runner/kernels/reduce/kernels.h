#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; reduce.cpp lists them.
extern const Kernel all;
extern const Kernel any;
extern const Kernel argMax;
extern const Kernel argMin;
extern const Kernel bincount;
extern const Kernel cumprod;
extern const Kernel cumsum;
extern const Kernel cumulativeLogsumexp;
extern const Kernel euclideanNorm;
extern const Kernel histogramFixedWidth;
extern const Kernel l2Loss;
extern const Kernel max;
extern const Kernel mean;
extern const Kernel min;
extern const Kernel prod;
extern const Kernel sum;

} // namespace lapidary::kernels
