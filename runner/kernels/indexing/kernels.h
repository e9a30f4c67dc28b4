#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; indexing.cpp lists them.
extern const Kernel gather;
extern const Kernel gatherV2;
extern const Kernel topK;
extern const Kernel topKV2;
extern const Kernel where;

} // namespace lapidary::kernels
