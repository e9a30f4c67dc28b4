// Pow: z = x to the power of y; integers wrap and take no negative exponent.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/power.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (hasNegativeInteger(context.input(1)))
        return context.error("integers to negative integer powers are not allowed");
    return runBinary(context, Numbers(), [](auto x, auto y) { return power(x, y); });
}

} // namespace

const Kernel kernels::pow{.op = "Pow", .run = run};

} // namespace lapidary
