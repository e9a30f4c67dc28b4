// SPDX-License-Identifier: Apache-2.0
// InvertPermutation: y[x[i]] = i.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runInvertPermutation(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto places, integerVector(context, 0, "the permutation"));
    const auto count = std::int64_t(places.size());
    std::vector<std::int64_t> inverse(places.size(), -1);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t place = places[std::size_t(i)];
        if (place < 0 || place >= count || inverse[std::size_t(place)] >= 0)
            return context.error(std::to_string(place) + " is not in [0, " + std::to_string(count) +
                                 ") or is there twice");
        inverse[std::size_t(place)] = i;
    }
    return setIntegers(context, 0, context.input(0).dtype(), {count}, inverse);
}

} // namespace

LAPIDARY_KERNEL(InvertPermutation, runInvertPermutation);

} // namespace lapidary
