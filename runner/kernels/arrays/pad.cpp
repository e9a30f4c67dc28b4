// Pad: zeros (empty strings) around the input. PadV2: a given value.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Result<Value> zeroOf(KernelContext& context, DType dtype)
{
    auto zero = context.allocate(dtype, {});
    if (!zero)
        return zero;
    const Status status = fillWithZeros(context, zero.value());
    return status ? zero : Result<Value>(status.error());
}

// Fills what lies before and after the input along each axis, and only that: along an axis, the
// axes in front of it need no more than the input's part.
Status fillBorder(const KernelContext& context, Value& output, const Value& filling,
                  const std::vector<std::int64_t>& pads)
{
    const Dims& dims = context.input(0).dims();
    const Dims strides = rowMajorStrides(output.dims());
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i)
        plan.axes.push_back({output.dims()[i], 0, strides[i]});
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::int64_t before = pads[2 * i];
        CopyPlan part = plan;
        part.axes[i].size = before;
        if (const Status status = stridedCopy(context, filling, output, part); !status)
            return status;
        part.axes[i].size = pads[2 * i + 1];
        part.toOffset += (before + dims[i]) * strides[i];
        if (const Status status = stridedCopy(context, filling, output, part); !status)
            return status;
        plan.axes[i].size = dims[i];
        plan.toOffset += before * strides[i];
    }
    return Done{};
}

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
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    const auto filling =
        hasValue ? Result<Value>(context.input(2)) : zeroOf(context, input.dtype());
    if (!filling)
        return filling.error();
    if (input.elements() == 0)
        return fillWith(context, output.value(), filling.value());
    const Status filled = fillBorder(context, output.value(), filling.value(), pads.value());
    if (!filled)
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
