// Div: z = x / y; integers towards zero.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Numbers(), [](auto x, auto y) { return division::truncated(x, y); });
}

} // namespace

const Kernel kernels::divOp{.op = "Div", .run = run};

} // namespace lapidary
