// SPDX-License-Identifier: Apache-2.0
// The smallest and the largest element along some axes.
#include "runner/kernels/kernel.h"
#include "runner/kernels/reduce/limits.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {
namespace {

// Min: the smallest element along some axes; NaN is ignored.
struct MinOf {
    template <class T>
    using Sum = WideSum<T>;

    template <class T>
    static Sum<T> start()
    {
        return highest<Sum<T>>();
    }
    template <class T>
    static Sum<T> value(T x)
    {
        return wide(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return y < x ? y : x;
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        return T(sum);
    }
};

Status runMin(KernelContext& context)
{
    return runReduction<MinOf>(context, Reals());
}

// Max: the largest element along some axes; NaN is ignored.
struct MaxOf : MinOf {
    template <class T>
    static Sum<T> start()
    {
        return lowest<Sum<T>>();
    }
    template <class S>
    static S combine(S x, S y)
    {
        return x < y ? y : x;
    }
};

Status runMax(KernelContext& context)
{
    return runReduction<MaxOf>(context, Reals());
}

} // namespace

LAPIDARY_KERNEL(Min, runMin);
LAPIDARY_KERNEL(Max, runMax);

} // namespace lapidary
