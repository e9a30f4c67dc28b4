// SPDX-License-Identifier: Apache-2.0
// Cumulative sums and products along an axis.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/reduce/scan.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

// Cumsum: running sums along an axis; integers wrap.
struct RunningSum {
    template <class T>
    static T start()
    {
        return T(decltype(wide(T()))(0));
    }
    template <class T>
    T operator()(T x, T y) const
    {
        return T(wrapping::add(wide(x), wide(y)));
    }
};

Status runCumsum(KernelContext& context)
{
    return runScan<RunningSum>(context, Numbers());
}

// Cumprod: running products along an axis; integers wrap.
struct RunningProduct {
    template <class T>
    static T start()
    {
        return T(decltype(wide(T()))(1));
    }
    template <class T>
    T operator()(T x, T y) const
    {
        return T(wrapping::mul(wide(x), wide(y)));
    }
};

Status runCumprod(KernelContext& context)
{
    return runScan<RunningProduct>(context, Numbers());
}

// CumulativeLogsumexp: running log(sum(exp(x))) along an axis. An exclusive one starts from the
// lowest finite number.
struct RunningLogSum {
    template <class T>
    static T start()
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::numeric_limits<T>::lowest();
        else
            return T(-65504.0F); // half
    }
    template <class T>
    T operator()(T x, T y) const
    {
        const auto low = std::min(wide(x), wide(y));
        const auto high = std::max(wide(x), wide(y));
        if (std::isnan(wide(x)) || std::isnan(wide(y)))
            return T(wide(x) + wide(y));
        if (std::isinf(high)) // both are -inf, or one is inf
            return T(high);
        return T(std::log1p(std::exp(low - high)) + high);
    }
};

Status runCumulativeLogsumexp(KernelContext& context)
{
    return runScan<RunningLogSum>(context, TypeList<float, double, Half>());
}

} // namespace

LAPIDARY_KERNEL(Cumsum, runCumsum);
LAPIDARY_KERNEL(Cumprod, runCumprod);
LAPIDARY_KERNEL(CumulativeLogsumexp, runCumulativeLogsumexp);

} // namespace lapidary
