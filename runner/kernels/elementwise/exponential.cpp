// SPDX-License-Identifier: Apache-2.0
// Exponentials, logarithms and roots.
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

// Exp: y = exp(x).
Status runExp(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, expFloats);
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::exp(x); });
}

// Expm1: y = exp(x) - 1, exact near 0.
Status runExpm1(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(), []([[maybe_unused]] auto x) {
        if constexpr (isComplex<decltype(x)>) {
            using R = typename decltype(x)::value_type;
            const R half = std::sin(x.imag() / 2);
            return decltype(x)(std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half,
                               std::exp(x.real()) * std::sin(x.imag()));
        } else {
            return std::expm1(x);
        }
    });
}

// Log: y = log(x).
Status runLog(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(), [](auto x) { return std::log(flushed(x)); });
}

// Log1p: y = log(1 + x), exact near 0.
Status runLog1p(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(), []([[maybe_unused]] auto x) {
        if constexpr (isComplex<decltype(x)>)
            return std::log(x + decltype(x)(1));
        else
            return std::log1p(x);
    });
}

// Sqrt: y = sqrt(x).
Status runSqrt(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::sqrt(x); });
}

// Rsqrt: y = 1 / sqrt(x).
Status runRsqrt(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, rsqrtFloats);
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return decltype(x)(1) / std::sqrt(x); });
}

} // namespace

LAPIDARY_KERNEL(Exp, runExp);
LAPIDARY_KERNEL(Expm1, runExpm1);
LAPIDARY_KERNEL(Log, runLog);
LAPIDARY_KERNEL(Log1p, runLog1p);
LAPIDARY_KERNEL(Sqrt, runSqrt);
LAPIDARY_KERNEL(Rsqrt, runRsqrt);

} // namespace lapidary
