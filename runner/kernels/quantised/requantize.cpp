// Requantize: int32 codes to 8 bits in a range that is given (spec: kernels, B19).
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"
#include "runner/kernels/quantised/requantise.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto from = rangeOf(context, 1);
    if (!from)
        return from.error();
    const auto to = rangeOf(context, 3);
    if (!to)
        return to.error();
    if (const Status asked = checkRequested(context, to.value()); !asked)
        return asked;
    auto out = context.makeOutput(0, context.typeAttr("out_type"), context.input(0).dims());
    if (!out)
        return out.error();
    requantiseInto(context, from.value(), to.value(), out.value());
    return setRange(context, to.value());
}

} // namespace

const Kernel kernels::requantize{.op = "Requantize", .run = run};

} // namespace lapidary
