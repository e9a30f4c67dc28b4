// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Output 0 is input 0.
Status passThrough(KernelContext& context);
// Input `i`, to be an output: moved if nobody else holds it. It may be gone afterwards.
Value passedInput(KernelContext& context, std::size_t i);

} // namespace lapidary
