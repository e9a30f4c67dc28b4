// SPDX-License-Identifier: Apache-2.0
// Split and SplitV cut a tensor along an axis.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/part.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Split: equal parts along an axis, which is the first input.
Status runSplit(KernelContext& context)
{
    const Value& input = context.input(1);
    const auto axis = axisArgument(context, 0, "split_dim", input.rank());
    RETURN_IF_ERROR(axis);
    const auto count = std::int64_t(context.outputCount());
    Dims dims = input.dims();
    std::int64_t& size = dims[std::size_t(*axis)];
    if (count < 1 || size % count != 0)
        return context.error("cannot split axis " + std::to_string(*axis) + " of " +
                             dimsText(input.dims()) + " into " + std::to_string(count) +
                             " equal parts");
    size /= count;
    for (std::int64_t i = 0; i < count; ++i) {
        const Status status =
            setPart(context, std::size_t(i), input, {*axis, i * size, size}, dims);
        if (!status)
            return status;
    }
    return Done{};
}

// SplitV: parts of given sizes along an axis; one size may be -1: the rest.
Status inferSize(const KernelContext& context, std::vector<std::int64_t>& sizes, std::int64_t whole)
{
    std::int64_t* unknown = nullptr;
    std::int64_t sum = 0;
    for (std::int64_t& size : sizes) {
        if (size < -1 || (size == -1 && unknown != nullptr))
            return context.error("one size may be -1, the others must not be negative: " +
                                 std::to_string(size));
        if (size == -1)
            unknown = &size;
        else
            sum = cappedSum(sum, size);
    }
    if (unknown == nullptr ? sum != whole : sum > whole)
        return context.error("the sizes sum up to " + std::to_string(sum) +
                             ", but the axis has the size " + std::to_string(whole));
    if (unknown != nullptr)
        *unknown = whole - sum;
    return Done{};
}

Status runSplitV(KernelContext& context)
{
    const Value& input = context.input(0);
    auto sizes = integerVector(context, 1, "size_splits");
    RETURN_IF_ERROR(sizes);
    if (sizes->size() != context.outputCount())
        return context.error("size_splits must have " + std::to_string(context.outputCount()) +
                             " sizes, not " + std::to_string(sizes->size()));
    if (context.input(2).elements() != 1)
        return context.error("split_dim must be a scalar, but its shape is " +
                             dimsText(context.input(2).dims()));
    ASSIGN_OR_RETURN(const auto axis,
                     resolveAxis(context, context.input(2).integers().front(), input.rank()));
    const std::int64_t whole = input.dim(axis);
    if (sizes->size() == 1 && (*sizes)[0] != whole)
        return context.error("the only part must have the size of the input, " +
                             std::to_string(whole));
    RETURN_IF_ERROR(inferSize(context, *sizes, whole));
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        Dims dims = input.dims();
        dims[std::size_t(axis)] = (*sizes)[i];
        const Status status =
            setPart(context, i, input, {axis, begin, (*sizes)[i]}, std::move(dims));
        if (!status)
            return status;
        begin += (*sizes)[i];
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Split, runSplit);
LAPIDARY_KERNEL(SplitV, runSplitV);

} // namespace lapidary
