// SPDX-License-Identifier: Apache-2.0
// SparseSplit: a sparse tensor in num_split parts along one axis; if its size is not a multiple of
// num_split, the first parts are larger by one.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Parts {
    std::size_t axis = 0;
    std::int64_t count = 1;
    std::int64_t size = 0;   // of the smaller parts
    std::int64_t larger = 0; // number of parts that are larger by one

    std::int64_t startOf(std::int64_t part) const { return part * size + std::min(part, larger); }
    std::int64_t sizeOf(std::int64_t part) const { return size + (part < larger ? 1 : 0); }
    std::int64_t partOf(std::int64_t index) const
    {
        const std::int64_t first = larger * (size + 1);
        return index < first ? index / (size + 1) : larger + (index - first) / size;
    }
};

Result<Parts> partsOf(const KernelContext& context, const SparseTensor& tensor)
{
    ASSIGN_OR_RETURN(const auto axis, integerScalar(context, 0, "split_dim"));
    if (axis < 0 || axis >= std::int64_t(tensor.rank()))
        return context.error("split_dim must be in [0, " + std::to_string(tensor.rank()) +
                             "), but it is " + std::to_string(axis));
    Parts parts{std::size_t(axis), context.intAttr("num_split")};
    const std::int64_t size = tensor.shape[parts.axis];
    if (parts.count < 1 || parts.count > size)
        return context.error("num_split must be between 1 and the size of the axis, " +
                             std::to_string(size) + ", but it is " + std::to_string(parts.count));
    parts.size = size / parts.count;
    parts.larger = size % parts.count;
    return parts;
}

Status givePart(KernelContext& context, const SparseTensor& tensor, const Parts& parts,
                std::int64_t part, std::span<const std::int64_t> entries)
{
    const auto count = std::size_t(parts.count);
    RETURN_IF_ERROR(giveEntries(context, tensor, entries, std::size_t(part), count));
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(std::size_t(part), DType::Int64,
                                                      {std::int64_t(entries.size()),
                                                       std::int64_t(tensor.rank())}));
    auto to = indices.mutableAs<std::int64_t>();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto row = to.subspan(i * tensor.rank(), tensor.rank());
        std::ranges::copy(tensor.index(entries[i]), row.begin());
        row[parts.axis] -= parts.startOf(part);
    }
    Dims shape = tensor.shape;
    shape[parts.axis] = parts.sizeOf(part);
    return giveShape(context, std::size_t(part) + 2 * count, shape);
}

Status runSparseSplit(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto tensor, sparseTensor(context, 1));
    ASSIGN_OR_RETURN(const auto parts, partsOf(context, tensor));
    if (context.outputCount() != std::size_t(parts.count) * 3)
        return context.error("num_split is not the number of its outputs");
    RETURN_IF_ERROR(checkInside(context, tensor));
    std::vector<std::vector<std::int64_t>> entries(std::size_t(parts.count));
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
        stopPoint();
        entries[std::size_t(parts.partOf(tensor.index(i)[parts.axis]))].push_back(i);
    }
    for (std::int64_t part = 0; part < parts.count; ++part) {
        stopPoint();
        RETURN_IF_ERROR(givePart(context, tensor, parts, part, entries[std::size_t(part)]));
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(SparseSplit, runSparseSplit);

} // namespace lapidary
