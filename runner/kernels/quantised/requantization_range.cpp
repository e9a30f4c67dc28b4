// RequantizationRange: the real range that int32 codes use (spec: kernels, B18).
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
    return setRange(context, usedRange(context, from.value()), 0);
}

} // namespace

const Kernel kernels::requantizationRange{.op = "RequantizationRange", .run = run};

} // namespace lapidary
