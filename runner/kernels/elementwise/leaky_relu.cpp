// LeakyRelu: y = x > 0 ? x : alpha x (attribute alpha, 0.2).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const float alpha = context.floatAttr("alpha", 0.2F);
    return runUnary(context, RealFloats(), [alpha](auto x) {
        using T = decltype(x);
        return x > T(0) ? x : T(x * T(alpha));
    });
}

} // namespace

const Kernel kernels::leakyRelu{.op = "LeakyRelu", .run = run};

} // namespace lapidary
