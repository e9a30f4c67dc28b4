// QuantizeDownAndShrinkRange: int32 codes to 8 bits in the range that they use: RequantizationRange
// and Requantize in one (spec: kernels, B20).
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
    auto out = context.makeOutput(0, DType::QUInt8, context.input(0).dims());
    if (!out)
        return out.error();
    const CodeRange to = usedRange(context, from.value());
    requantiseInto(context, from.value(), to, out.value());
    return setRange(context, to);
}

} // namespace

const Kernel kernels::quantizeDownAndShrinkRange{.op = "QuantizeDownAndShrinkRange", .run = run};

} // namespace lapidary
