// Maximum: the larger one; the first where either is NaN, as recorded.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, Reals(), [](auto x, auto y) { return x < y ? y : x; });
}

} // namespace

const Kernel kernels::maximum{.op = "Maximum", .run = run};

} // namespace lapidary
