// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/reduce/reduction.h"

namespace lapidary {

// The Reducer of Sum, for runReduction(); integers wrap. Other Reducers derive from it to add up
// functions of the elements.
struct SumOf {
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
        return wide(x);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return S(wrapping::add(x, y));
    }
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        return T(sum);
    }
};

} // namespace lapidary
