// SPDX-License-Identifier: Apache-2.0
// Logical reductions.
#include "runner/kernels/kernel.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {
namespace {

// All: whether every element along some axes is true.
struct AllOf {
    template <class T>
    using Sum = std::uint8_t;

    template <class T>
    static Sum<T> start()
    {
        return 1;
    }
    template <class T>
    static Sum<T> value(T x)
    {
        return std::uint8_t(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return x & y;
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        return sum != 0;
    }
};

Status runAll(KernelContext& context)
{
    return runReduction<AllOf>(context, TypeList<bool>());
}

// Any: whether some element along some axes is true.
struct AnyOf : AllOf {
    template <class T>
    static Sum<T> start()
    {
        return 0;
    }
    template <class S>
    static S combine(S x, S y)
    {
        return x | y;
    }
};

Status runAny(KernelContext& context)
{
    return runReduction<AnyOf>(context, TypeList<bool>());
}

} // namespace

LAPIDARY_KERNEL(All, runAll);
LAPIDARY_KERNEL(Any, runAny);

} // namespace lapidary
