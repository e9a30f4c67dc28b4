// Selu: y = x < 0 ? a (exp(x) - 1) : s x, with the constants of self-normalising networks.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

struct Selu {
    static constexpr bool takesStored = true;

    template <class T>
    T operator()(T x) const
    {
        using W = decltype(wide(x));
        const W scale = wide(T(W(1.0507009873554804934193349852946)));
        const W scaledAlpha = wide(T(W(1.7580993408473768599402175208123)));
        if (!(wide(x) < W(0)))
            return T(scale * wide(x));
        const T power = T(std::exp(wide(x)));
        return T(scaledAlpha * wide(T(wide(power) - W(1)))); // half: each step is rounded
    }
};

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), Selu());
}

} // namespace

const Kernel kernels::selu{.op = "Selu", .run = run};

} // namespace lapidary
