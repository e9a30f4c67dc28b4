// Elu: y = x < 0 ? exp(x) - 1 : x.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        using T = decltype(x);
        return x < T(0) ? T(std::exp(x) - T(1)) : x;
    });
}

} // namespace

const Kernel kernels::elu{.op = "Elu", .run = run};

} // namespace lapidary
