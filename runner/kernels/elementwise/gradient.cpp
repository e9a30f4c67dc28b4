// SPDX-License-Identifier: Apache-2.0
// Gradients of functions of one number: those of training graphs, and of models whose result is a
// derivative, such as forces.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/rounded.h"

#include <cmath>
#include <complex>

namespace lapidary {
namespace {

template <class T>
T conjugate(T x)
{
    if constexpr (isComplex<T>)
        return std::conj(x);
    else
        return x;
}

// Both inputs must have one shape: nothing is broadcast.
template <class Types, class Op>
Status runGradient(KernelContext& context, Types types, const Op& op)
{
    if (context.input(0).dims() != context.input(1).dims())
        return context.error("its inputs must have one shape, but are " +
                             dimsText(context.input(0).dims()) + " and " +
                             dimsText(context.input(1).dims()));
    return runBinary(context, types, op);
}

// Kernels of one formula, with the types that they are compiled for.
struct FloatGradient {
    using Types = RealFloats;
    static constexpr bool takesStored = true;
};
struct SmoothGradient {
    using Types = FloatsAndComplex;
    static constexpr bool takesStored = true;
};

template <class Gradient>
Status runOf(KernelContext& context)
{
    return runGradient(context, typename Gradient::Types(), Gradient());
}

// In the first five, x is the function's output y, and the other input is the gradient dy.
// TanhGrad: z = dy (1 - y y).
struct TanhGrad : SmoothGradient {
    template <class T>
    T operator()(T y, T dy) const
    {
        using W = decltype(wide(y));
        const W square = rounded<T>(wide(y) * wide(y));
        return T(wide(dy) * rounded<T>(W(1) - square));
    }
};

// SigmoidGrad: z = dy y (1 - y).
struct SigmoidGrad : SmoothGradient {
    template <class T>
    T operator()(T y, T dy) const
    {
        using W = decltype(wide(y));
        const W slope = rounded<T>(wide(y) * rounded<T>(W(1) - wide(y)));
        return T(wide(dy) * slope);
    }
};

// ReciprocalGrad, InvGrad: z = -dy y y; 0 if dy is 0, whatever y is.
struct ReciprocalGrad : SmoothGradient {
    template <class T>
    T operator()(T y, T dy) const
    {
        using W = decltype(wide(y));
        if (wide(dy) == W(0))
            return T(W(0));
        const W out = conjugate(wide(y));
        return T(-rounded<T>(out * out) * wide(dy));
    }
};

// SqrtGrad: z = dy / (2 y); 0 if dy is 0.
struct SqrtGrad : SmoothGradient {
    template <class T>
    T operator()(T y, T dy) const
    {
        using W = decltype(wide(y));
        if (wide(dy) == W(0))
            return T(W(0));
        const W slope = rounded<T>(W(0.5F) / conjugate(wide(y)));
        return T(slope * wide(dy));
    }
};

// RsqrtGrad: z = -dy y y y / 2; 0 if dy is 0.
struct RsqrtGrad : SmoothGradient {
    template <class T>
    T operator()(T y, T dy) const
    {
        using W = decltype(wide(y));
        if (wide(dy) == W(0))
            return T(W(0));
        const W out = conjugate(wide(y));
        const W half = rounded<T>(W(-0.5F) * rounded<T>(wide(dy) * out));
        return T(half * rounded<T>(out * out));
    }
};

// In the others, dy is first, and x is the function's input, or its output if a comment says so.
// SoftplusGrad: z = dy / (exp(-x) + 1).
struct SoftplusGrad : FloatGradient {
    template <class T>
    T operator()(T dy, T x) const
    {
        using W = decltype(wide(x));
        const W power = rounded<T>(std::exp(-wide(x)));
        return T(wide(dy) / rounded<T>(power + W(1)));
    }
};

// SoftsignGrad: z = dy / (|x| + 1)^2.
struct SoftsignGrad : FloatGradient {
    template <class T>
    T operator()(T dy, T x) const
    {
        using W = decltype(wide(x));
        const W sum = rounded<T>(std::abs(wide(x)) + W(1));
        return T(wide(dy) / rounded<T>(sum * sum));
    }
};

// EluGrad: z = y < 0 ? (y + 1) dy : dy, with the output y.
struct EluGrad : FloatGradient {
    template <class T>
    T operator()(T dy, T y) const
    {
        using W = decltype(wide(y));
        return wide(y) < W(0) ? T(rounded<T>(wide(y) + W(1)) * wide(dy)) : dy;
    }
};

// SeluGrad: z = y < 0 ? dy (y + s a) : s dy, with the output y and the constants of Selu.
struct SeluGrad : FloatGradient {
    template <class T>
    T operator()(T dy, T y) const
    {
        using W = decltype(wide(y));
        const W scale = rounded<T>(W(1.0507009873554804934193349852946));
        const W scaledAlpha = rounded<T>(W(1.7580993408473768599402175208123));
        return wide(y) < W(0) ? T(wide(dy) * rounded<T>(wide(y) + scaledAlpha))
                              : T(wide(dy) * scale);
    }
};

// ReluGrad: z = dy (x > 0): a product, so that NaN and infinity have an effect if the slope is 0.
Status runReluGrad(KernelContext& context)
{
    return runGradient(context, Reals(), [](auto dy, auto x) {
        using W = decltype(x);
        return wrapping::mul(dy, W(x > W(0) ? 1 : 0));
    });
}

// Relu6Grad: z = dy (0 < x < 6).
Status runRelu6Grad(KernelContext& context)
{
    return runGradient(context, Reals(), [](auto dy, auto x) {
        using W = decltype(x);
        return wrapping::mul(dy, W(x > W(0) && x < W(6) ? 1 : 0));
    });
}

// LeakyReluGrad: z = x > 0 ? dy : alpha dy (attribute alpha, 0.2).
struct LeakyReluGrad {
    static constexpr bool takesStored = true;
    float alpha;

    template <class T>
    T operator()(T dy, T x) const
    {
        using W = decltype(wide(x));
        return wide(x) > W(0) ? dy : T(rounded<T>(W(alpha)) * wide(dy));
    }
};

Status runLeakyReluGrad(KernelContext& context)
{
    return runGradient(context, RealFloats(), LeakyReluGrad{context.floatAttr("alpha", 0.2F)});
}

} // namespace

LAPIDARY_KERNEL(TanhGrad, runOf<TanhGrad>);
LAPIDARY_KERNEL(SigmoidGrad, runOf<SigmoidGrad>);
LAPIDARY_KERNEL(ReciprocalGrad, runOf<ReciprocalGrad>);
LAPIDARY_KERNEL(InvGrad, runOf<ReciprocalGrad>);
LAPIDARY_KERNEL(SqrtGrad, runOf<SqrtGrad>);
LAPIDARY_KERNEL(RsqrtGrad, runOf<RsqrtGrad>);
LAPIDARY_KERNEL(SoftplusGrad, runOf<SoftplusGrad>);
LAPIDARY_KERNEL(SoftsignGrad, runOf<SoftsignGrad>);
LAPIDARY_KERNEL(EluGrad, runOf<EluGrad>);
LAPIDARY_KERNEL(SeluGrad, runOf<SeluGrad>);
LAPIDARY_KERNEL(ReluGrad, runReluGrad);
LAPIDARY_KERNEL(Relu6Grad, runRelu6Grad);
LAPIDARY_KERNEL(LeakyReluGrad, runLeakyReluGrad);

} // namespace lapidary
