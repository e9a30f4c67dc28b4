#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; image.cpp lists them.
extern const Kernel cropAndResize;
extern const Kernel resizeArea;
extern const Kernel resizeBicubic;
extern const Kernel resizeBilinear;
extern const Kernel resizeNearestNeighbor;

} // namespace lapidary::kernels
