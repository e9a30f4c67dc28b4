// Selu: y = x < 0 ? a (exp(x) - 1) : s x, with the constants of self-normalising networks.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        using T = decltype(x);
        constexpr auto scale = T(1.0507009873554804934193349852946);
        constexpr auto scaledAlpha = T(1.7580993408473768599402175208123);
        return x < T(0) ? T(scaledAlpha * (std::exp(x) - T(1))) : T(scale * x);
    });
}

} // namespace

const Kernel kernels::selu{.op = "Selu", .run = run};

} // namespace lapidary
