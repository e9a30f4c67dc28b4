// EuclideanNorm: the square root of the sum of squared magnitudes along some axes.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/reduction.h"

#include <cmath>
#include <complex>

namespace lapidary {
namespace {

struct NormOf {
    template <class T>
    using Sum = WideSum<T>;

    template <class T>
    static Sum<T> start()
    {
        return Sum<T>(0);
    }
    template <class T>
    static Sum<T> value(T x)
    {
        if constexpr (isComplex<T>)
            return x * std::conj(x);
        else
            return Sum<T>(wrapping::mul(wide(x), wide(x)));
    }
    template <class S>
    static S combine(S x, S y)
    {
        return S(wrapping::add(x, y));
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        if constexpr (std::is_integral_v<T>)
            return T(std::sqrt(double(sum)));
        else
            return T(std::sqrt(sum));
    }
};

Status run(KernelContext& context)
{
    return runReduction<NormOf>(context, Numbers());
}

} // namespace

const Kernel kernels::euclideanNorm{.op = "EuclideanNorm", .run = run};

} // namespace lapidary
