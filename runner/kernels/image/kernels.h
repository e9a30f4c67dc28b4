#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; image.cpp lists them.
extern const Kernel adjustContrastV2;
extern const Kernel adjustHue;
extern const Kernel adjustSaturation;
extern const Kernel cropAndResize;
extern const Kernel drawBoundingBoxes;
extern const Kernel extractImagePatches;
extern const Kernel hsvToRgb;
extern const Kernel resizeArea;
extern const Kernel resizeBicubic;
extern const Kernel resizeBilinear;
extern const Kernel resizeNearestNeighbor;
extern const Kernel rgbToHsv;
extern const Kernel scaleAndTranslate;

} // namespace lapidary::kernels
