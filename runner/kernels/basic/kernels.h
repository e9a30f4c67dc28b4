#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; basic.cpp lists them.
extern const Kernel constant;
extern const Kernel identity;
extern const Kernel identityN;
extern const Kernel noOp;
extern const Kernel placeholder;
extern const Kernel placeholderV2;
extern const Kernel placeholderWithDefault;
extern const Kernel preventGradient;
extern const Kernel snapshot;
extern const Kernel stopGradient;

// Output 0 is input 0.
Status passThrough(KernelContext& context);
// Input `i`, to be an output: moved if nobody else holds it. It may be gone afterwards.
Value passedInput(KernelContext& context, std::size_t i);

} // namespace lapidary::kernels
