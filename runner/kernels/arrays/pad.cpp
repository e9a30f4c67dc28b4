// SPDX-License-Identifier: Apache-2.0
// Pad, PadV2 and MirrorPad put elements around a tensor.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/pieces.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// Pad: zeros (empty strings) around the input. PadV2: a given value.
Result<Value> zeroOf(KernelContext& context, DType dtype)
{
    auto zero = context.allocate(dtype, {});
    if (!zero)
        return zero;
    const Status status = fillWithZeros(context, *zero);
    return status ? zero : Result<Value>(status.error());
}

// Fills only the border, before and after the input along each axis; along the axes before it,
// only where the input is.
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
        RETURN_IF_ERROR(stridedCopy(context, filling, output, part));
        part.axes[i].size = pads[2 * i + 1];
        part.toOffset += (before + dims[i]) * strides[i];
        RETURN_IF_ERROR(stridedCopy(context, filling, output, part));
        plan.axes[i].size = dims[i];
        plan.toOffset += before * strides[i];
    }
    return Done{};
}

Status runPad(KernelContext& context)
{
    const Value& input = context.input(0);
    const bool hasValue = context.inputCount() == 3;
    constexpr int mostAxes = 6; // as in TensorFlow
    if (input.rank() > mostAxes)
        return context.error("pads at most 6 axes, but the shape is " + dimsText(input.dims()));
    ASSIGN_OR_RETURN(const auto pads, sizePairs(context, 1, "paddings", input.rank()));
    if (hasValue && !context.input(2).isScalar())
        return context.error("constant_values must be a scalar, but its shape is " +
                             dimsText(context.input(2).dims()));
    Dims dims = input.dims();
    for (std::size_t i = 0; i < dims.size(); ++i)
        dims[i] = cappedSum(dims[i], cappedSum(pads[2 * i], pads[2 * i + 1]));
    if (dims == input.dims())
        return context.setOutput(0, input);
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    ASSIGN_OR_RETURN(const auto filling,
                     hasValue ? Result<Value>(context.input(2)) : zeroOf(context, input.dtype()));
    if (input.elements() == 0)
        return fillWith(context, output.value(), filling);
    const Status filled = fillBorder(context, output.value(), filling, pads);
    if (!filled)
        return filled;
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        plan.axes.push_back({input.dims()[i], from[i], to[i]});
        plan.toOffset += pads[2 * i] * to[i];
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

// MirrorPad: the input and, around it, its mirror image: with its edge (SYMMETRIC) or without it
// (REFLECT).
Status runMirrorPad(KernelContext& context)
{
    constexpr int mostAxes = 5; // as in TensorFlow
    const Value& input = context.input(0);
    if (input.rank() > mostAxes)
        return context.error("pads at most 5 axes, but the shape is " + dimsText(input.dims()));
    ASSIGN_OR_RETURN(const auto pads, sizePairs(context, 1, "paddings", input.rank()));
    const std::int64_t edge = context.stringAttr("mode") == "REFLECT" ? 1 : 0;
    std::vector<std::vector<AxisPiece>> pieces;
    Dims dims;
    for (std::size_t i = 0; i < input.dims().size(); ++i) {
        const std::int64_t size = input.dims()[i];
        const std::int64_t before = pads[2 * i];
        const std::int64_t after = pads[2 * i + 1];
        if (before > size - edge || after > size - edge)
            return context.error("axis " + std::to_string(i) + " of " + dimsText(input.dims()) +
                                 " can be padded by at most " +
                                 std::to_string(std::max<std::int64_t>(0, size - edge)));
        std::vector<AxisPiece> axis{{.from = 0, .to = before, .size = size}};
        if (before > 0)
            axis.push_back({.from = before - 1 + edge, .to = 0, .size = before, .step = -1});
        if (after > 0)
            axis.push_back(
                {.from = size - 1 - edge, .to = before + size, .size = after, .step = -1});
        pieces.push_back(std::move(axis));
        dims.push_back(cappedSum(size, cappedSum(before, after)));
    }
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    return copyPieces(context, input, output.value(), pieces);
}

} // namespace

LAPIDARY_KERNEL(Pad, runPad);
LAPIDARY_KERNEL(PadV2, runPad);
LAPIDARY_KERNEL(MirrorPad, runMirrorPad);

} // namespace lapidary
