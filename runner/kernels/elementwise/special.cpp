// SPDX-License-Identifier: Apache-2.0
// Special functions.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/special_functions.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

// BesselI0e: exp(-|x|) times the modified Bessel function of order 0.
Status runBesselI0e(KernelContext& context)
{
    return runUnary(context, RealFloats(), [](auto x) { return special::besselI0e(x); });
}

// BesselI1e: exp(-|x|) times the modified Bessel function of order 1.
Status runBesselI1e(KernelContext& context)
{
    return runUnary(context, RealFloats(), [](auto x) { return special::besselI1e(x); });
}

// Digamma: the derivative of log gamma(x).
Status runDigamma(KernelContext& context)
{
    return runUnary(context, RealFloats(), [](auto x) { return special::digamma(x); });
}

// Erf: the error function.
Status runErf(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, erfFloats);
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::erf(x); });
}

// Erfc: 1 - erf(x).
Status runErfc(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::erfc(x); });
}

// Lgamma: log |gamma(x)|.
Status runLgamma(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        int sign = 0;
        if constexpr (std::is_same_v<decltype(x), double>)
            return lgamma_r(x, &sign);
        else
            return lgammaf_r(x, &sign);
    });
}

// Betainc: the regularized incomplete beta function I_x(a, b). Scalars are broadcast to any shape.
Status runBetainc(KernelContext& context)
{
    Dims dims;
    for (std::size_t i = 0; i < 3; ++i)
        if (!context.input(i).isScalar())
            dims = context.input(i).dims();
    for (std::size_t i = 0; i < 3; ++i)
        if (!context.input(i).isScalar() && context.input(i).dims() != dims)
            return context.error("the shapes of a, b and x must be equal or scalar, but " +
                                 dimsText(context.input(i).dims()) + " meets " + dimsText(dims));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(0).dtype(), dims));
    dispatch(TypeList<float, double>(), context.input(0).dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto at = [&](std::size_t input, std::size_t i) {
            const auto all = context.input(input).as<T>();
            return all[all.size() == 1 ? 0 : i];
        };
        const auto y = made.template mutableAs<T>();
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = special::betainc(at(0, i), at(1, i), at(2, i));
    });
    return Done{};
}

// Igamma: the regularized lower incomplete gamma function P(x, y).
Status runIgamma(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::igamma(x, y); });
}

// Igammac: the regularized upper incomplete gamma function Q(x, y).
Status runIgammac(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::igammac(x, y); });
}

// Polygamma: derivative number x of digamma, at y.
Status runPolygamma(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::polygamma(x, y); });
}

// Zeta: the Hurwitz zeta function.
Status runZeta(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::zeta(x, y); });
}

} // namespace

LAPIDARY_KERNEL(BesselI0e, runBesselI0e);
LAPIDARY_KERNEL(BesselI1e, runBesselI1e);
LAPIDARY_KERNEL(Digamma, runDigamma);
LAPIDARY_KERNEL(Erf, runErf);
LAPIDARY_KERNEL(Erfc, runErfc);
LAPIDARY_KERNEL(Lgamma, runLgamma);
LAPIDARY_KERNEL(Betainc, runBetainc);
LAPIDARY_KERNEL(Igamma, runIgamma);
LAPIDARY_KERNEL(Igammac, runIgammac);
LAPIDARY_KERNEL(Polygamma, runPolygamma);
LAPIDARY_KERNEL(Zeta, runZeta);

} // namespace lapidary
