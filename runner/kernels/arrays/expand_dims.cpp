// ExpandDims: a new axis of size 1 at `dim`, which counts from the end where negative. The data is
// shared.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    if (context.input(1).elements() != 1)
        return context.error("the axis must be a single value, but its shape is " +
                             dimsText(context.input(1).dims()));
    const auto axis = resolveAxis(context, context.input(1).integers().front(), input.rank() + 1);
    if (!axis)
        return axis.error();
    Dims dims = input.dims();
    dims.insert(dims.begin() + axis.value(), 1);
    return context.setOutput(0, input.reshaped(std::move(dims)));
}

} // namespace

const Kernel kernels::expandDims{.op = "ExpandDims", .run = run};

} // namespace lapidary
