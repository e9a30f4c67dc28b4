// StridedSlice: x[begin:end:stride, ...] with NumPy's ellipsis, new axes and single indices.
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/slice_spec.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    auto box = readStridedBox(context, 1, input.dims());
    if (!box)
        return box.error();
    const auto& [begin, stride, size, outputDims] = box.value();
    const bool isWhole = size == input.dims() && stride == Dims(size.size(), 1);
    if (isWhole)
        return context.setOutput(0, input.reshaped(outputDims));
    constexpr int mostAxes = 7; // as TensorFlow, except where only the first one is cut
    const bool cutsFirstAxisOnly =
        stride[0] == 1 && size.size() == outputDims.size() &&
        std::equal(size.begin() + 1, size.end(), input.dims().begin() + 1) &&
        stride == Dims(size.size(), 1);
    if (input.rank() > mostAxes && !cutsFirstAxisOnly)
        return context.error("slices at most 7 axes, but the shape is " + dimsText(input.dims()));
    auto output = context.makeOutput(0, input.dtype(), outputDims);
    if (!output)
        return output.error();
    if (output.value().elements() == 0)
        return Done{};
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(size);
    CopyPlan plan;
    for (std::size_t i = 0; i < size.size(); ++i) {
        plan.axes.push_back({size[i], size[i] == 1 ? 0 : from[i] * stride[i], to[i]});
        plan.fromOffset += begin[i] * from[i];
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

} // namespace

const Kernel kernels::stridedSlice{.op = "StridedSlice", .run = run};

} // namespace lapidary
