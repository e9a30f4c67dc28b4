// FloorDiv: z = floor(x / y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(), [](auto x, auto y) { return division::floored(x, y); });
}

} // namespace

const Kernel kernels::floorDiv{.op = "FloorDiv", .run = run};

} // namespace lapidary
