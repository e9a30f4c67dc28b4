// Relu6: y = min(max(x, 0), 6).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Reals(), []([[maybe_unused]] auto x) {
        using T = decltype(x);
        return x < T(0) ? T(0) : x > T(6) ? T(6) : x;
    });
}

} // namespace

const Kernel kernels::relu6{.op = "Relu6", .run = run};

} // namespace lapidary
