// Softplus: y = log(exp(x) + 1), linear and exponential beyond ln(eps) + 2.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        using T = decltype(x);
        const T threshold = std::log(std::numeric_limits<T>::epsilon()) + T(2);
        if (x > -threshold)
            return x;
        return x < threshold ? std::exp(x) : T(std::log1p(std::exp(x)));
    });
}

} // namespace

const Kernel kernels::softplus{.op = "Softplus", .run = run};

} // namespace lapidary
