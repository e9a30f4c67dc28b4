// SPDX-License-Identifier: Apache-2.0
// StridedSlice and its gradient.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/slice_spec.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// StridedSlice: x[begin:end:stride, ...] with NumPy's ellipsis, new axes and single indices.
Status runStridedSlice(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(auto box, readStridedBox(context, 1, input.dims()));
    const auto& [begin, stride, size, outputDims] = box;
    const bool isWhole = size == input.dims() && stride == Dims(size.size(), 1);
    if (isWhole)
        return context.setOutput(0, input.reshaped(outputDims));
    constexpr int mostAxes = 7; // as in TensorFlow, unless only the first axis is cut
    const bool cutsFirstAxisOnly =
        stride[0] == 1 && size.size() == outputDims.size() &&
        std::equal(size.begin() + 1, size.end(), input.dims().begin() + 1) &&
        stride == Dims(size.size(), 1);
    if (input.rank() > mostAxes && !cutsFirstAxisOnly)
        return context.error("slices at most 7 axes, but the shape is " + dimsText(input.dims()));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, input.dtype(), outputDims));
    if (output.elements() == 0)
        return Done{};
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(size);
    CopyPlan plan;
    for (std::size_t i = 0; i < size.size(); ++i) {
        plan.axes.push_back({size[i], size[i] == 1 ? 0 : from[i] * stride[i], to[i]});
        plan.fromOffset += begin[i] * from[i];
    }
    return stridedCopy(context, input, output, std::move(plan));
}

// TensorStridedSliceUpdate: the input with one slice replaced.
Status runTensorStridedSliceUpdate(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto box, assignedBox(context, context.input(0)));
    if (context.input(4).elements() == 0)
        return context.setOutput(0, context.input(0));
    Value whole = context.takeInput(0);
    if (!whole.isSet()) {
        const Value& input = context.input(0);
        ASSIGN_OR_RETURN(whole, context.allocate(input.dtype(), input.dims()));
        CopyPlan plan;
        plan.axes.push_back({input.elements(), 1, 1});
        RETURN_IF_ERROR(stridedCopy(context, input, whole, std::move(plan)));
    }
    RETURN_IF_ERROR(writeBox(context, context.input(4), whole, box));
    return context.setOutput(0, std::move(whole));
}

// StridedSliceGrad: zeros of the given shape, with dy in the slice that StridedSlice would read.
Status runStridedSliceGrad(KernelContext& context)
{
    const auto shape = integerVector(context, 0, "the shape");
    RETURN_IF_ERROR(shape);
    const Value& dy = context.input(4);
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, dy.dtype(), *shape));
    ASSIGN_OR_RETURN(const auto box, readStridedBox(context, 1, *shape));
    if (box.outputDims != dy.dims())
        return context.error("dy must have the shape of the slice, " + dimsText(box.outputDims) +
                             ", not " + dimsText(dy.dims()));
    RETURN_IF_ERROR(fillWithZeros(context, output));
    if (dy.elements() == 0)
        return Done{};
    return writeBox(context, dy, output, box);
}

} // namespace

LAPIDARY_KERNEL(StridedSlice, runStridedSlice);
LAPIDARY_KERNEL(StridedSliceGrad, runStridedSliceGrad);
LAPIDARY_KERNEL(TensorStridedSliceUpdate, runTensorStridedSliceUpdate);

} // namespace lapidary
