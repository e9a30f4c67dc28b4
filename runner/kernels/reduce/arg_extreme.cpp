// SPDX-License-Identifier: Apache-2.0
// ArgMax and ArgMin: the index of the largest and the smallest element along an axis; the first of
// equal ones.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/reduce/limits.h"
#include "runner/kernels/reduce/one_axis.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

// Finds the index along the axis of the first best element, for each of `inner` neighbors; NaN is
// never the best.
template <class Better, class T, class Index>
void argExtreme(const OneAxis& axis, const T* x, Index* y)
{
    using W = decltype(wide(T()));
    std::vector<W> best(std::size_t(axis.inner));
    for (std::int64_t o = 0; o < axis.outer; ++o, y += axis.inner) {
        std::ranges::fill(best, Better::template worst<W>());
        std::fill_n(y, axis.inner, Index(0));
        for (std::int64_t i = 0; i < axis.size; ++i, x += axis.inner)
            for (std::int64_t k = 0; k < axis.inner; ++k)
                if (Better::isBetter(wide(x[k]), best[std::size_t(k)])) {
                    best[std::size_t(k)] = wide(x[k]);
                    y[k] = Index(i);
                }
    }
}

// Runs ArgMax and ArgMin: `Better` compares two elements, and has the start value.
template <class Better>
Status runArgExtreme(KernelContext& context)
{
    const auto axis = OneAxis::of(context);
    RETURN_IF_ERROR(axis);
    const Value& x = context.input(0);
    if (axis->size == 0)
        return context.error("there is nothing to choose from along axis " +
                             std::to_string(axis->axis) + " of shape " + dimsText(x.dims()));
    Dims dims = x.dims();
    dims.erase(dims.begin() + std::ptrdiff_t(axis->axis));
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, context.typeAttr("output_type", DType::Int64), dims));
    Value& y = made;
    if (y.elements() == 0)
        return Done{};
    const bool known = dispatch(Reals(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if (y.dtype() == DType::Int32)
            argExtreme<Better>(*axis, x.as<T>().data(), y.mutableAs<std::int32_t>().data());
        else
            argExtreme<Better>(*axis, x.as<T>().data(), y.mutableAs<std::int64_t>().data());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

struct Largest {
    template <class T>
    static T worst()
    {
        return lowest<T>();
    }
    template <class T>
    static bool isBetter(T x, T best)
    {
        return x > best;
    }
};

Status runArgMax(KernelContext& context)
{
    return runArgExtreme<Largest>(context);
}

struct Smallest {
    template <class T>
    static T worst()
    {
        return highest<T>();
    }
    template <class T>
    static bool isBetter(T x, T best)
    {
        return x < best;
    }
};

Status runArgMin(KernelContext& context)
{
    return runArgExtreme<Smallest>(context);
}

} // namespace

LAPIDARY_KERNEL(ArgMax, runArgMax);
LAPIDARY_KERNEL(ArgMin, runArgMin);

} // namespace lapidary
