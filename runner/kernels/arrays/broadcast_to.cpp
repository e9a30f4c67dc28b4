// BroadcastTo: axes of size 1 repeated, and new ones in front, up to the given shape.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto shape = integerVector(context, 1, "the shape");
    if (!shape)
        return shape.error();
    const Dims& dims = shape.value();
    const std::size_t rank = input.dims().size();
    bool fits = rank <= dims.size();
    const std::size_t added = dims.size() - (fits ? rank : 0);
    for (std::size_t i = 0; fits && i < rank; ++i)
        fits = input.dims()[i] == 1 || input.dims()[i] == dims[added + i];
    for (const std::int64_t size : dims)
        if (size < 0)
            return context.error("a size must not be negative: " + std::to_string(size));
    if (!fits)
        return context.error("cannot broadcast " + dimsText(input.dims()) + " to " +
                             dimsText(dims));
    if (input.dims() == dims)
        return context.setOutput(0, input);
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const bool repeats = i < added || input.dims()[i - added] == 1;
        plan.axes.push_back({dims[i], repeats ? 0 : from[i - added], to[i]});
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

} // namespace

const Kernel kernels::broadcastTo{.op = "BroadcastTo", .run = run};

} // namespace lapidary
