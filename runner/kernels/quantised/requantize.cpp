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
    if (!(to.value().min <= 0))
        return context.error("requested_output_min must be <= 0, but is " +
                             std::to_string(to.value().min));
    if (!(to.value().max >= to.value().min))
        return context.error("requested_output_max must be >= requested_output_min, but they are " +
                             std::to_string(to.value().max) + " and " +
                             std::to_string(to.value().min));
    auto out = context.makeOutput(0, context.typeAttr("out_type"), context.input(0).dims());
    if (!out)
        return out.error();
    requantiseInto(context, from.value(), to.value(), out.value());
    return setRange(context, to.value());
}

} // namespace

const Kernel kernels::requantize{.op = "Requantize", .run = run};

} // namespace lapidary
