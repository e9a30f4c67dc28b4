// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

enum class FloatBinary : std::uint8_t { Add, Subtract, Multiply };

// z = op(x, y) of two float inputs with broadcasting: into x where nobody else holds it and it has
// the result's shape, by the threads of the run where it is large.
Status runFloatBinary(KernelContext& context, FloatBinary op);

} // namespace lapidary
