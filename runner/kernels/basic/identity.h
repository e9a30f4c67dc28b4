// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Output 0 is input 0.
Status passThrough(KernelContext& context);
// Returns input `i` for use as an output. It is moved, and so gone from the context, where nothing
// else holds it.
Value passedInput(KernelContext& context, std::size_t i);

} // namespace lapidary
