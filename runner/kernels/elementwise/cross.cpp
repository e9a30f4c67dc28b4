// SPDX-License-Identifier: Apache-2.0
// Cross: the cross product of vectors of three elements, along the last dimension.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runCross(KernelContext& context)
{
    const Value& a = context.input(0);
    const Value& b = context.input(1);
    if (a.dims() != b.dims())
        return context.error("the shapes must be equal, but they are " + dimsText(a.dims()) +
                             " and " + dimsText(b.dims()));
    if (a.rank() < 1 || a.dim(a.rank() - 1) != 3)
        return context.error("the last dimension must be 3, but the shape is " +
                             dimsText(a.dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, a.dtype(), a.dims()));
    const bool known = dispatch(Reals(), a.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto x = a.as<T>();
        const auto y = b.as<T>();
        const auto z = made.template mutableAs<T>();
        for (std::size_t i = 0; i + 2 < z.size(); i += 3)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t p = i + (k + 1) % 3;
                const std::size_t q = i + (k + 2) % 3;
                const T first = T(wrapping::mul(wide(x[p]), wide(y[q])));
                const T second = T(wrapping::mul(wide(x[q]), wide(y[p])));
                z[i + k] = T(wrapping::sub(wide(first), wide(second)));
            }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(a.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Cross, runCross);

} // namespace lapidary
