// Reverse: turns the axes that a vector of bools marks around. ReverseV2: those that are named.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Result<std::vector<bool>> reversedAxes(const KernelContext& context)
{
    const Value& input = context.input(0);
    const Value& axes = context.input(1);
    if (!axes.isVector())
        return context.error("the axes must be a vector, but their shape is " +
                             dimsText(axes.dims()));
    std::vector<bool> reversed(input.dims().size());
    if (axes.dtype() == DType::Bool) {
        if (axes.dim(0) != input.rank())
            return context.error("needs one bool for each of the " + std::to_string(input.rank()) +
                                 " axes");
        const auto flags = axes.as<std::uint8_t>();
        for (std::size_t i = 0; i < reversed.size(); ++i)
            reversed[i] = flags[i] != 0;
        return reversed;
    }
    for (const std::int64_t given : axes.integers()) {
        const auto axis = resolveAxis(context, given, input.rank());
        if (!axis)
            return axis.error();
        if (reversed[std::size_t(axis.value())])
            return context.error("axis " + std::to_string(given) + " is named twice");
        reversed[std::size_t(axis.value())] = true;
    }
    return reversed;
}

Status run(KernelContext& context)
{
    constexpr int mostAxes = 8; // as TensorFlow
    const Value& input = context.input(0);
    if (input.isScalar())
        return context.setOutput(0, input);
    if (input.rank() > mostAxes)
        return context.error("reverses at most 8 axes, but the shape is " + dimsText(input.dims()));
    const auto reversed = reversedAxes(context);
    if (!reversed)
        return reversed.error();
    auto output = context.makeOutput(0, input.dtype(), input.dims());
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    const Dims strides = rowMajorStrides(input.dims());
    CopyPlan plan;
    for (std::size_t i = 0; i < strides.size(); ++i) {
        const bool turned = reversed.value()[i];
        plan.axes.push_back({input.dims()[i], turned ? -strides[i] : strides[i], strides[i]});
        plan.fromOffset += turned ? (input.dims()[i] - 1) * strides[i] : 0;
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

} // namespace

const Kernel kernels::reverse{.op = "Reverse", .run = run};
const Kernel kernels::reverseV2{.op = "ReverseV2", .run = run};

} // namespace lapidary
