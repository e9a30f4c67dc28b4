#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

extern const Kernel restore;
extern const Kernel restoreSlice;
extern const Kernel restoreV2;
extern const Kernel shardedFilename;

} // namespace lapidary::kernels
