// Fill: a tensor of the given shape, every element the given value.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    auto dims = integerVector(context, 0, "dims");
    if (!dims)
        return dims.error();
    const Value& value = context.input(1);
    if (!value.isScalar())
        return context.error("value must be a scalar, but its shape is " + dimsText(value.dims()));
    auto output = context.makeOutput(0, value.dtype(), std::move(dims).value());
    if (!output)
        return output.error();
    return fillWith(context, output.value(), value);
}

} // namespace

const Kernel kernels::fill{.op = "Fill", .run = run};

} // namespace lapidary
