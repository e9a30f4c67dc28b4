// Pad: zeros (empty strings) around the input. PadV2: a given value.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const bool hasValue = context.inputCount() == 3;
    constexpr int mostAxes = 6; // as TensorFlow
    if (input.rank() > mostAxes)
        return context.error("pads at most 6 axes, but the shape is " + dimsText(input.dims()));
    const auto pads = sizePairs(context, 1, "paddings", input.rank());
    if (!pads)
        return pads.error();
    if (hasValue && !context.input(2).isScalar())
        return context.error("constant_values must be a scalar, but its shape is " +
                             dimsText(context.input(2).dims()));
    Dims dims = input.dims();
    for (std::size_t i = 0; i < dims.size(); ++i)
        dims[i] = cappedSum(dims[i], cappedSum(pads.value()[2 * i], pads.value()[2 * i + 1]));
    if (dims == input.dims())
        return context.setOutput(0, input);
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output)
        return output.error();
    const Status filled = hasValue ? fillWith(context, output.value(), context.input(2))
                                   : fillWithZeros(context, output.value());
    if (!filled || input.elements() == 0)
        return filled;
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        plan.axes.push_back({input.dims()[i], from[i], to[i]});
        plan.toOffset += pads.value()[2 * i] * to[i];
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

} // namespace

const Kernel kernels::pad{.op = "Pad", .run = run};
const Kernel kernels::padV2{.op = "PadV2", .run = run};

} // namespace lapidary
