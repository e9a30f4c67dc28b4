#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; codecs.cpp lists them.
extern const Kernel decodeAndCropJpeg;
extern const Kernel decodeBmp;
extern const Kernel decodeGif;
extern const Kernel decodeJpeg;
extern const Kernel decodePng;
extern const Kernel decodeRaw;
extern const Kernel encodeJpeg;
extern const Kernel encodeJpegVariableQuality;
extern const Kernel encodePng;
extern const Kernel extractJpegShape;

} // namespace lapidary::kernels
