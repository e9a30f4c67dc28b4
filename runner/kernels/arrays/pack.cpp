// Pack: joins tensors of one shape along a new axis.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& first = context.input(0);
    const auto axis = resolveAxis(context, context.intAttr("axis"), first.rank() + 1);
    if (!axis)
        return axis.error();
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        if (context.input(i).dims() != first.dims())
            return context.error("all inputs must have one shape, but input 0 is " +
                                 dimsText(first.dims()) + " and input " + std::to_string(i) +
                                 " is " + dimsText(context.input(i).dims()));
    const auto at = std::size_t(axis.value());
    const auto count = std::int64_t(context.inputCount());
    Dims dims = first.dims();
    const std::int64_t outer = sizeOfAxes(dims, 0, at);
    const std::int64_t inner = sizeOfAxes(dims, at, dims.size());
    dims.insert(dims.begin() + axis.value(), count);
    if (count == 1)
        return context.setOutput(0, first.reshaped(std::move(dims)));
    auto output = context.makeOutput(0, first.dtype(), std::move(dims));
    if (!output)
        return output.error();
    if (output.value().elements() == 0)
        return Done{};
    CopyPlan plan{.axes = {{outer, inner, inner * count}, {inner, 1, 1}}};
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Status status = stridedCopy(context, context.input(i), output.value(), plan);
        if (!status)
            return status;
        plan.toOffset += inner;
    }
    return Done{};
}

} // namespace

const Kernel kernels::pack{.op = "Pack", .run = run};

} // namespace lapidary
