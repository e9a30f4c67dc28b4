// TruncateMod: the remainder of division towards zero: the sign is that of x.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(), [](auto x, auto y) { return division::remainder(x, y); });
}

} // namespace

const Kernel kernels::truncateMod{.op = "TruncateMod", .run = run};

} // namespace lapidary
