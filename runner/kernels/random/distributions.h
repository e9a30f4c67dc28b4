// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/random/philox.h"

namespace lapidary {

// Each function draws numbers of the given shape from a copy of a generator and sets output 0 to
// them. The floating-point ones have the type of the attribute `dtype`.
Status giveUniform(KernelContext& context, Philox generator, Dims dims);
Status giveNormal(KernelContext& context, Philox generator, Dims dims);
Status giveTruncatedNormal(KernelContext& context, Philox generator, Dims dims);
// Draws integers of the attribute `dtype`, all of its values equally likely.
Status giveFullIntegers(KernelContext& context, Philox generator, Dims dims);
// Draws integers in [a, b), where a is input `lowest` and b the next input; both are scalars of one
// type of 32 or 64 bits.
Status giveIntegers(KernelContext& context, Philox generator, Dims dims, std::size_t lowest);

template <std::size_t lowest>
Status giveIntegersAbove(KernelContext& context, Philox generator, Dims dims)
{
    return giveIntegers(context, generator, std::move(dims), lowest);
}

} // namespace lapidary
