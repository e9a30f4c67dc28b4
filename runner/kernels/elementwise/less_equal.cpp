// LessEqual: x <= y, as bool; false where either is NaN.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinaryTo<bool>(context, Reals(), [](auto x, auto y) { return x <= y; });
}

} // namespace

const Kernel kernels::lessEqual{.op = "LessEqual", .run = run};

} // namespace lapidary
