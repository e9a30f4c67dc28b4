// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/random/philox.h"

namespace lapidary {

// Each draws numbers of the given shape from a copy of a generator and sets them as output 0. The
// floating ones have the type of the attribute dtype.
Status giveUniform(KernelContext& context, Philox generator, Dims dims);
Status giveNormal(KernelContext& context, Philox generator, Dims dims);
Status giveTruncatedNormal(KernelContext& context, Philox generator, Dims dims);
// Integers of the attribute dtype, any of which may come.
Status giveFullIntegers(KernelContext& context, Philox generator, Dims dims);
// Integers in [input `lowest`, input `lowest` + 1), which are scalars of one type of 32 or 64 bits.
Status giveIntegers(KernelContext& context, Philox generator, Dims dims, std::size_t lowest);

template <std::size_t lowest>
Status giveIntegersAbove(KernelContext& context, Philox generator, Dims dims)
{
    return giveIntegers(context, generator, std::move(dims), lowest);
}

} // namespace lapidary
