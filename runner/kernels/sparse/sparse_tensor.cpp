// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/sparse/sparse_tensor.h"

#include "runner/guard/run_guard.h"

#include <algorithm>
#include <numeric>

namespace lapidary {

Result<SparseTensor> sparseTensor(const KernelContext& context, std::size_t indices,
                                  std::size_t values, std::size_t shape)
{
    SparseTensor tensor{&context.input(indices), &context.input(values)};
    const Value& sizes = context.input(shape);
    if (tensor.indices->rank() != 2 || !tensor.values->isVector() || !sizes.isVector() ||
        tensor.indices->dim(0) != tensor.values->dim(0) || tensor.indices->dim(1) != sizes.dim(0))
        return context.error(
            "indices " + dimsText(tensor.indices->dims()) + " (input " + std::to_string(indices) +
            "), values " + dimsText(tensor.values->dims()) + " and shape " +
            dimsText(sizes.dims()) + " are not a sparse tensor: [n,rank], [n] " + "and [rank]");
    tensor.shape = sizes.integers();
    for (const std::int64_t size : tensor.shape)
        if (size < 0)
            return context.error("the dense shape " + dimsText(tensor.shape) + " (input " +
                                 std::to_string(shape) + ") must not be negative");
    return tensor;
}

Result<SparseTensor> sparseTensor(const KernelContext& context, std::size_t first)
{
    return sparseTensor(context, first, first + 1, first + 2);
}

Status checkInside(const KernelContext& context, const SparseTensor& tensor)
{
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
        stopPoint();
        for (std::size_t axis = 0; axis < tensor.rank(); ++axis)
            if (const std::int64_t at = tensor.index(i)[axis]; at < 0 || at >= tensor.shape[axis])
                return context.error("index " + std::to_string(at) + " in row " +
                                     std::to_string(i) + " of the indices is not in an axis of " +
                                     std::to_string(tensor.shape[axis]));
    }
    return Done{};
}

std::strong_ordering compareIndices(std::span<const std::int64_t> a,
                                    std::span<const std::int64_t> b)
{
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

std::vector<std::int64_t> rowMajorOrder(const SparseTensor& tensor)
{
    std::vector<std::int64_t> order(std::size_t(tensor.count()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
        stopPoint();
        return compareIndices(tensor.index(a), tensor.index(b)) < 0;
    });
    return order;
}

Status giveEntries(KernelContext& context, const SparseTensor& tensor,
                   std::span<const std::int64_t> entries, std::size_t indices, std::size_t step)
{
    const auto count = std::int64_t(entries.size());
    ASSIGN_OR_RETURN(auto madeIndices, context.makeOutput(indices, DType::Int64,
                                                          {count, std::int64_t(tensor.rank())}));
    ASSIGN_OR_RETURN(auto madeValues,
                     context.makeOutput(indices + step, tensor.values->dtype(), {count}));
    auto to = madeIndices.mutableAs<std::int64_t>().begin();
    for (const std::int64_t entry : entries)
        to = std::ranges::copy(tensor.index(entry), to).out;
    const bool known = dispatchBySize(madeValues.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = readElements<T>(*tensor.values);
        const auto made = writeElements<T>(madeValues);
        for (std::size_t i = 0; i < entries.size(); ++i)
            made[i] = from[std::size_t(entries[i])];
    });
    return known ? Status(Done{})
                 : Status(context.error("cannot move " + dtypeName(madeValues.dtype())));
}

Status giveShape(KernelContext& context, std::size_t output, const Dims& shape)
{
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(output, DType::Int64, {std::int64_t(shape.size())}));
    std::ranges::copy(shape, made.mutableAs<std::int64_t>().begin());
    return Done{};
}

} // namespace lapidary
