// SPDX-License-Identifier: Apache-2.0
// SparseReshape: the indices of a sparse tensor in another shape; one size may be -1. Returns
// new_shape with the size for -1.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Result<Dims> targetDims(const KernelContext& context, std::int64_t elements)
{
    ASSIGN_OR_RETURN(auto shape, integerVector(context, 2, "new_shape"));
    Dims dims = std::move(shape);
    std::int64_t* unknown = nullptr;
    std::int64_t known = 1;
    for (std::int64_t& size : dims) {
        if (size < -1 || (size == -1 && unknown != nullptr))
            return context.error("one size of new_shape may be -1, the others must not be "
                                 "negative: " +
                                 std::to_string(size));
        if (size == -1)
            unknown = &size;
        else
            known = cappedProduct(known, size);
    }
    const bool fits = unknown == nullptr ? known == elements : known > 0 && elements % known == 0;
    if (!fits)
        return context.error("a tensor of " + std::to_string(elements) +
                             " elements cannot be reshaped to " + dimsText(dims));
    if (unknown != nullptr)
        *unknown = elements / known;
    return dims;
}

// Converts an index in shape `from` to the index in `to` of the same flat element.
Status moveIndex(const KernelContext& context, const std::int64_t* index, const Dims& from,
                 const Dims& to, std::int64_t* moved)
{
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (index[i] < 0 || index[i] >= from[i])
            return context.error("index " + std::to_string(index[i]) + " is outside of the shape " +
                                 dimsText(from));
        flat = flat * from[i] + index[i];
    }
    for (std::size_t i = to.size(); i-- > 0; flat /= to[i])
        moved[i] = flat % to[i];
    return Done{};
}

Status runSparseReshape(KernelContext& context)
{
    const Value& indices = context.input(0);
    const auto shape = integerVector(context, 1, "input_shape");
    RETURN_IF_ERROR(shape);
    const Dims& from = *shape;
    if (indices.rank() != 2 || indices.dim(1) != std::int64_t(from.size()))
        return context.error("input_indices must have one column for each of the " +
                             std::to_string(from.size()) + " axes, but their shape is " +
                             dimsText(indices.dims()));
    for (const std::int64_t size : from)
        if (size < 0)
            return context.error("input_shape must not be negative: " + std::to_string(size));
    ASSIGN_OR_RETURN(const auto dims, targetDims(context, sizeOfAxes(from, 0, from.size())));
    const Dims& to = dims;
    const auto columns = std::int64_t(to.size());
    ASSIGN_OR_RETURN(auto moved, context.makeOutput(0, DType::Int64, {indices.dim(0), columns}));
    const std::int64_t* index = indices.as<std::int64_t>().data();
    std::int64_t* target = moved.mutableAs<std::int64_t>().data();
    for (std::int64_t i = 0; i < indices.dim(0); ++i, index += from.size(), target += columns)
        RETURN_IF_ERROR(moveIndex(context, index, from, to, target));
    ASSIGN_OR_RETURN(auto newShape, context.makeOutput(1, DType::Int64, {columns}));
    std::copy(to.begin(), to.end(), newShape.mutableAs<std::int64_t>().begin());
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(SparseReshape, runSparseReshape);

} // namespace lapidary
