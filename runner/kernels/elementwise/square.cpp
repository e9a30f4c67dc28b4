// Square: y = x * x; integers wrap.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Numbers(),
                    []([[maybe_unused]] auto x) { return wrapping::mul(x, x); });
}

} // namespace

const Kernel kernels::square{.op = "Square", .run = run};

} // namespace lapidary
