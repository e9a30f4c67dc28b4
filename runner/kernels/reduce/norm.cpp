// SPDX-License-Identifier: Apache-2.0
// Norms.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/reduce/sum_of.h"
#include "runner/kernels/to_integer.h"

#include <cmath>
#include <complex>

namespace lapidary {
namespace {

// EuclideanNorm: the square root of the sum of squared magnitudes along some axes.
struct NormOf : SumOf {
    template <class T>
    static Sum<T> value(T x)
    {
        if constexpr (isComplex<T>)
            return x * std::conj(x);
        else
            return Sum<T>(wrapping::mul(wide(x), wide(x)));
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        if constexpr (std::is_integral_v<T>)
            return toInteger<T>(std::sqrt(double(sum))); // a sum that wrapped may be negative
        else
            return T(std::sqrt(sum));
    }
};

Status runEuclideanNorm(KernelContext& context)
{
    return runReduction<NormOf>(context, Numbers());
}

// L2Loss: half the sum of squares of all elements.
struct Squares : SumOf {
    template <class T>
    static Sum<T> value(T x)
    {
        return wide(x) * wide(x);
    }
};

Status runL2Loss(KernelContext& context)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), {}));
    const bool known = dispatch(RealFloats(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto sum = reduceRun<Squares>(x.as<T>().data(), x.elements());
        made.template mutableAs<T>()[0] = T(sum / 2);
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(EuclideanNorm, runEuclideanNorm);
LAPIDARY_KERNEL(L2Loss, runL2Loss);

} // namespace lapidary
