// QuantizedReshape: the same codes under another shape; the range stays (spec: kernels, B14).
#include "runner/kernels/arrays/reshaped.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto range = rangeOf(context, 2);
    if (!range)
        return range.error();
    const Status reshaped = reshapeFirst(context);
    return reshaped ? setRange(context, range.value()) : reshaped;
}

} // namespace

const Kernel kernels::quantizedReshape{.op = "QuantizedReshape", .run = run};

} // namespace lapidary
