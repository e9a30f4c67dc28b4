#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; sequences.cpp lists them.
extern const Kernel blockLstm;
extern const Kernel blockLstmV2;
extern const Kernel ctcBeamSearchDecoder;
extern const Kernel ctcGreedyDecoder;
extern const Kernel gruBlockCell;
extern const Kernel lstmBlockCell;

} // namespace lapidary::kernels
