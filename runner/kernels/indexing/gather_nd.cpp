// SPDX-License-Identifier: Apache-2.0
// GatherNd: the slices of `params` that the index tuples name.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/indexing/gather_slices.h"
#include "runner/kernels/indexing/slice_numbers.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {

Status gatherSlices(KernelContext& context, const Value& params, const Value& indices)
{
    constexpr std::int64_t longestIndex = 7; // as in TensorFlow
    if (params.isScalar() || indices.isScalar())
        return context.error("params and indices must have at least one axis");
    if (indices.dims().back() > longestIndex)
        return context.error("an index has at most 7 entries, not " +
                             std::to_string(indices.dims().back()));
    ASSIGN_OR_RETURN(const auto found, readSliceNumbers(context, indices, params.dims()));
    const std::vector<std::int64_t>& numbers = found.numbers;
    if (!numbers.empty() && params.elements() == 0)
        return context.error("there is nothing to gather from the shape " +
                             dimsText(params.dims()));
    Dims dims(indices.dims().begin(), indices.dims().end() - 1);
    dims.insert(dims.end(), params.dims().begin() + indices.dims().back(), params.dims().end());
    auto output = context.makeOutput(0, params.dtype(), std::move(dims));
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    const std::int64_t size = found.elements;
    const bool known = dispatchBySize(params.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = writeElements<T>(output.value()).data();
        for (const std::int64_t slice : numbers)
            to = std::copy_n(readElements<T>(params).data() + slice * size, size, to);
    });
    return known ? Status(Done{})
                 : Status(context.error("cannot gather " + dtypeName(params.dtype())));
}

namespace {

Status runGatherNd(KernelContext& context)
{
    return gatherSlices(context, context.input(0), context.input(1));
}

} // namespace

LAPIDARY_KERNEL(GatherNd, runGatherNd);

} // namespace lapidary
