// SPDX-License-Identifier: Apache-2.0
// Pack joins tensors along a new axis; Unpack takes them apart again.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/part.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Pack: joins tensors of one shape along a new axis.
Status runPack(KernelContext& context)
{
    const Value& first = context.input(0);
    ASSIGN_OR_RETURN(const auto axis,
                     resolveAxis(context, context.intAttr("axis"), first.rank() + 1));
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        if (context.input(i).dims() != first.dims())
            return context.error("all inputs must have one shape, but input 0 is " +
                                 dimsText(first.dims()) + " and input " + std::to_string(i) +
                                 " is " + dimsText(context.input(i).dims()));
    const auto at = std::size_t(axis);
    const auto count = std::int64_t(context.inputCount());
    Dims dims = first.dims();
    const std::int64_t outer = sizeOfAxes(dims, 0, at);
    const std::int64_t inner = sizeOfAxes(dims, at, dims.size());
    dims.insert(dims.begin() + axis, count);
    if (count == 1)
        return context.setOutput(0, first.reshaped(std::move(dims)));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, first.dtype(), std::move(dims)));
    if (output.elements() == 0)
        return Done{};
    CopyPlan plan{.axes = {{outer, inner, inner * count}, {inner, 1, 1}}};
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Status status = stridedCopy(context, context.input(i), output, plan);
        if (!status)
            return status;
        plan.toOffset += inner;
    }
    return Done{};
}

// Unpack: one output for each index along `axis`, without that axis.
Status runUnpack(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto axis = resolveAxis(context, context.intAttr("axis"), input.rank());
    RETURN_IF_ERROR(axis);
    const std::int64_t count = context.intAttr("num");
    if (input.dim(*axis) != count)
        return context.error("axis " + std::to_string(*axis) + " of " + dimsText(input.dims()) +
                             " must have the size " + std::to_string(count));
    Dims dims = input.dims();
    dims.erase(dims.begin() + *axis);
    for (std::int64_t i = 0; i < count; ++i) {
        const Status status = setPart(context, std::size_t(i), input, {*axis, i, 1}, dims);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Pack, runPack);
LAPIDARY_KERNEL(Unpack, runUnpack);

} // namespace lapidary
