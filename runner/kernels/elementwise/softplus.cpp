// Softplus: y = log(exp(x) + 1), linear and exponential beyond ln(eps) + 2.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

// ln(epsilon) + 2: beyond it on either side one term no longer counts. bfloat16 has none below, as
// recorded, and above only what keeps exp finite.
template <class T>
auto threshold()
{
    if constexpr (std::is_same_v<T, Half>)
        return wide(T(std::log(0x1p-13F) + 2));
    else if constexpr (std::is_same_v<T, BFloat16>)
        return -88.5F;
    else
        return std::log(std::numeric_limits<T>::epsilon()) + T(2);
}

struct Softplus {
    static constexpr bool takesStored = true;

    template <class T>
    T operator()(T x) const
    {
        using W = decltype(wide(x));
        if (wide(x) > -threshold<T>())
            return x;
        const T power = T(std::exp(wide(x)));
        if (wide(x) < threshold<T>())
            return power;
        if constexpr (std::is_floating_point_v<T>)
            return std::log1p(power);
        else
            return T(std::log(wide(T(wide(power) + W(1))))); // each step is rounded
    }
};

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), Softplus());
}

} // namespace

const Kernel kernels::softplus{.op = "Softplus", .run = run};

} // namespace lapidary
