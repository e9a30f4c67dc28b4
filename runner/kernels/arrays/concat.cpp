// Concat: joins tensors along an axis, which is the first input.
#include "runner/kernels/arrays/join.h"
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& axis = context.input(0);
    if (axis.elements() != 1 || axis.rank() > 1)
        return context.error("concat_dim must be a scalar, but its shape is " +
                             dimsText(axis.dims()));
    return joinInputs(context, 1, context.inputCount() - 1, axis.integers().front());
}

} // namespace

const Kernel kernels::concat{.op = "Concat", .run = run};

} // namespace lapidary
