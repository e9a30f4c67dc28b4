#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; speech.cpp lists them.
extern const Kernel audioSpectrogram;
extern const Kernel decodeWav;
extern const Kernel encodeWav;
extern const Kernel mfcc;

} // namespace lapidary::kernels
