// Minimum: the smaller one; the first where either is NaN, as recorded.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, Reals(), [](auto x, auto y) { return y < x ? y : x; });
}

} // namespace

const Kernel kernels::minimum{.op = "Minimum", .run = run};

} // namespace lapidary
