// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/reduce/one_axis.h"

#include <algorithm>

namespace lapidary {

// The attributes of Cumsum and similar ops.
struct ScanOrder {
    bool exclusive = false; // without the element itself
    bool reverse = false;   // each element with those after it
};

// Sets y[i] to x[i] combined with all elements before it along the axis. A Combiner has start<T>()
// and operator()(T, T).
template <class Combiner, class T>
void scan(const OneAxis& axis, const ScanOrder& order, const T* x, T* y)
{
    const auto [exclusive, reverse] = order;
    const T start = Combiner::template start<T>();
    const Combiner combine;
    const std::int64_t step = reverse ? -axis.inner : axis.inner;
    const std::int64_t block = axis.size * axis.inner;
    for (std::int64_t o = 0; o < axis.outer; ++o) {
        std::int64_t at = o * block + (reverse ? block - axis.inner : 0);
        for (std::int64_t i = 0; i < axis.size; ++i, at += step)
            for (std::int64_t k = at; k < at + axis.inner; ++k) {
                if (i == 0)
                    y[k] = exclusive ? start : x[k];
                else
                    y[k] = combine(y[k - step], exclusive ? x[k - step] : x[k]);
            }
    }
}

template <class Combiner, class Types>
Status runScan(KernelContext& context, Types types)
{
    ASSIGN_OR_RETURN(const auto axis, OneAxis::of(context));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    if (x.elements() == 0)
        return Done{};
    const ScanOrder order{context.boolAttr("exclusive"), context.boolAttr("reverse")};
    const bool known = dispatch(types, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        scan<Combiner>(axis, order, x.as<T>().data(), made.template mutableAs<T>().data());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace lapidary
