// SPDX-License-Identifier: Apache-2.0
// Activation functions of neural networks.
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

// Relu: y = max(x, 0). NaN stays NaN, as in TensorFlow.
struct Relu {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x) const
    {
        using W = decltype(wide(x));
        return wide(x) < W(0) ? T(W(0)) : flushed(x);
    }
};

Status runRelu(KernelContext& context)
{
    return runUnary(context, Reals(), Relu());
}

// Relu6: y = min(max(x, 0), 6).
struct Relu6 {
    static constexpr bool takesStored = true; // half and bfloat16 keep their denormals

    template <class T>
    T operator()(T x) const
    {
        using W = decltype(wide(x));
        if (wide(x) < W(0))
            return T(W(0));
        return wide(x) > W(6) ? T(W(6)) : flushed(x);
    }
};

Status runRelu6(KernelContext& context)
{
    return runUnary(context, Reals(), Relu6());
}

// Elu: y = x < 0 ? exp(x) - 1 : x.
Status runElu(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        using T = decltype(x);
        return x < T(0) ? T(std::exp(x) - T(1)) : x;
    });
}

// Selu: y = x < 0 ? a (exp(x) - 1) : s x, with the constants of self-normalizing networks.
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

Status runSelu(KernelContext& context)
{
    return runUnary(context, RealFloats(), Selu());
}

// LeakyRelu: y = x > 0 ? x : alpha x (attribute alpha, 0.2).
Status runLeakyRelu(KernelContext& context)
{
    const float alpha = context.floatAttr("alpha", 0.2F);
    return runUnary(context, RealFloats(), [alpha](auto x) {
        using T = decltype(x);
        return x > T(0) ? x : T(x * T(alpha));
    });
}

// Sigmoid: y = 1 / (1 + exp(-x)).
Status runSigmoid(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, sigmoidFloats);
    return runUnary(context, FloatsAndComplex(), []([[maybe_unused]] auto x) {
        return decltype(x)(1) / (decltype(x)(1) + std::exp(-x));
    });
}

// Softplus: y = log(exp(x) + 1), linear and exponential beyond ln(eps) + 2.
// Returns ln(epsilon) + 2: beyond it on either side one term no longer counts. bfloat16 has no
// limit below, as recorded, and above only one that keeps exp finite.
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

Status runSoftplus(KernelContext& context)
{
    return runUnary(context, RealFloats(), Softplus());
}

// Softsign: y = x / (|x| + 1).
Status runSoftsign(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        return decltype(x)(x / (std::abs(x) + decltype(x)(1)));
    });
}

} // namespace

LAPIDARY_KERNEL(Relu, runRelu);
LAPIDARY_KERNEL(Relu6, runRelu6);
LAPIDARY_KERNEL(Elu, runElu);
LAPIDARY_KERNEL(Selu, runSelu);
LAPIDARY_KERNEL(LeakyRelu, runLeakyRelu);
LAPIDARY_KERNEL(Sigmoid, runSigmoid);
LAPIDARY_KERNEL(Softplus, runSoftplus);
LAPIDARY_KERNEL(Softsign, runSoftsign);

} // namespace lapidary
