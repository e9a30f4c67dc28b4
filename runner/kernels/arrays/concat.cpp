// SPDX-License-Identifier: Apache-2.0
// Concat and ConcatV2 join tensors along an axis; ConcatOffset gives the index at which each
// begins.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/join.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Concat: joins tensors along an axis, which is the first input.
Status runConcat(KernelContext& context)
{
    const Value& axis = context.input(0);
    if (axis.elements() != 1 || axis.rank() > 1)
        return context.error("concat_dim must be a scalar, but its shape is " +
                             dimsText(axis.dims()));
    return joinInputs(context, 1, context.inputCount() - 1, axis.integers().front());
}

// ConcatV2: joins tensors along an axis, which is the last input. ParallelConcat: along the first
// axis.
Status runConcatV2(KernelContext& context)
{
    const std::size_t count = context.inputCount() - 1;
    const auto axis = integerScalar(context, count, "the axis");
    return axis ? joinInputs(context, 0, count, axis.value()) : axis.error();
}

Status runParallel(KernelContext& context)
{
    return joinInputs(context, 0, context.inputCount(), 0);
}

// ConcatOffset: the index at which each of several tensors, given by their shapes, begins in their
// Concat.
Status runConcatOffset(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto first, integerVector(context, 1, "a shape"));
    const auto axis = axisArgument(context, 0, "concat_dim", int(first.size()));
    RETURN_IF_ERROR(axis);
    const auto at = std::size_t(*axis);
    Dims offset(first.size());
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        ASSIGN_OR_RETURN(const auto shape, integerVector(context, i, "a shape"));
        bool fits = shape.size() == offset.size();
        for (std::size_t k = 0; fits && k < offset.size(); ++k)
            fits = k == at || shape[k] == first[k];
        if (!fits)
            return context.error("the shapes " + dimsText(first) + " and " + dimsText(shape) +
                                 " cannot be joined along axis " + std::to_string(at));
        const Status status = setIntegers(context, i - 1, context.input(i).dtype(),
                                          {std::int64_t(offset.size())}, offset);
        if (!status)
            return status;
        offset[at] = cappedSum(offset[at], shape[at]);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Concat, runConcat);
LAPIDARY_KERNEL(ConcatV2, runConcatV2);
LAPIDARY_KERNEL(ParallelConcat, runParallel);
LAPIDARY_KERNEL(ConcatOffset, runConcatOffset);

} // namespace lapidary
