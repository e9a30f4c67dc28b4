// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets output 0 to input 0.
Status passThrough(KernelContext& context);
// Returns input `i` for use as an output. If nothing else holds it, it is moved out of the context.
Value passedInput(KernelContext& context, std::size_t i);

} // namespace lapidary
