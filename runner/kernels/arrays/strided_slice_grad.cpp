// StridedSliceGrad: zeros of the given shape, with dy where StridedSlice would have read.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/slice_spec.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto shape = integerVector(context, 0, "the shape");
    if (!shape)
        return shape.error();
    const Value& dy = context.input(4);
    auto output = context.makeOutput(0, dy.dtype(), shape.value());
    if (!output)
        return output.error();
    const auto box = readStridedBox(context, 1, shape.value());
    if (!box)
        return box.error();
    if (box.value().outputDims != dy.dims())
        return context.error("dy must have the shape of the slice, " +
                             dimsText(box.value().outputDims) + ", not " + dimsText(dy.dims()));
    if (const Status status = fillWithZeros(context, output.value()); !status)
        return status;
    if (dy.elements() == 0)
        return Done{};
    const auto& [begin, stride, size, outputDims] = box.value();
    const Dims from = rowMajorStrides(size);
    const Dims to = rowMajorStrides(shape.value());
    CopyPlan plan;
    for (std::size_t i = 0; i < size.size(); ++i) {
        plan.axes.push_back({size[i], from[i], size[i] == 1 ? 0 : to[i] * stride[i]});
        plan.toOffset += begin[i] * to[i];
    }
    return stridedCopy(context, dy, output.value(), std::move(plan));
}

} // namespace

const Kernel kernels::stridedSliceGrad{.op = "StridedSliceGrad", .run = run};

} // namespace lapidary
