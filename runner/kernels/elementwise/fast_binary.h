// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

enum class FloatBinary : std::uint8_t { Add, Subtract, Multiply };

// Computes z = op(x, y) of two float inputs with broadcasting: into x if it is not shared and has
// the result's shape, on the threads of the run if it is large.
Status runFloatBinary(KernelContext& context, FloatBinary op);

} // namespace lapidary
