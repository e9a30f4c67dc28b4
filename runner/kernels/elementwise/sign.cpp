// SPDX-License-Identifier: Apache-2.0
// Sign, square and reciprocal.
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

// Abs: y = |x|; the lowest integer is unchanged.
Status runAbs(KernelContext& context)
{
    return runUnary(context, Reals(), [](auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            return std::abs(x);
        else
            return x < decltype(x)(0) ? wrapping::sub(decltype(x)(0), x) : x;
    });
}

// Neg: y = -x; integers wrap.
Status runNeg(KernelContext& context)
{
    return runUnary(context, Numbers(), [](auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            return -x; // keeps denormals
        else
            return wrapping::sub(decltype(x)(0), x);
    });
}

// Sign: -1, 0 or 1 (NaN: 0); complex: x / |x|, or 0.
Status runSign(KernelContext& context)
{
    return runUnary(context, Numbers(), []([[maybe_unused]] auto x) {
        if constexpr (isComplex<decltype(x)>)
            return x == decltype(x)(0) ? decltype(x)(0) : x * (1 / std::abs(x));
        else
            return decltype(x)((x > decltype(x)(0)) - (x < decltype(x)(0)));
    });
}

// Square: y = x * x; integers wrap.
Status runSquare(KernelContext& context)
{
    return runUnary(context, Numbers(),
                    []([[maybe_unused]] auto x) { return wrapping::mul(x, x); });
}

// Inv: y = 1 / x.
Status runInv(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return division::quotient(decltype(x)(1), x); });
}

// Reciprocal: y = 1 / x.
Status runReciprocal(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return division::quotient(decltype(x)(1), x); });
}

} // namespace

LAPIDARY_KERNEL(Abs, runAbs);
LAPIDARY_KERNEL(Neg, runNeg);
LAPIDARY_KERNEL(Sign, runSign);
LAPIDARY_KERNEL(Square, runSquare);
LAPIDARY_KERNEL(Inv, runInv);
LAPIDARY_KERNEL(Reciprocal, runReciprocal);

} // namespace lapidary
