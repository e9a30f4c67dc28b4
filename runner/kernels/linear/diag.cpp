// SPDX-License-Identifier: Apache-2.0
// Diagonals of tensors of any even rank.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// Diag: a tensor of twice the rank with x on its diagonal, 0 elsewhere.
Status runDiag(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.isScalar())
        return context.error("needs at least one dimension, but the input is a scalar");
    Dims dims = x.dims();
    dims.insert(dims.end(), x.dims().begin(), x.dims().end());
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), dims));
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto from = readElements<T>(x);
        const auto to = writeElements<T>(made);
        std::ranges::fill(to, T());
        for (std::size_t i = 0; i < from.size(); ++i)
            to[i * (from.size() + 1)] = from[i];
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

// DiagPart: the diagonal of a tensor whose shape is the same one twice; a scalar stays itself.
Status runDiagPart(KernelContext& context)
{
    const Value& x = context.input(0);
    const std::size_t half = x.dims().size() / 2;
    const Dims dims(x.dims().begin(), x.dims().begin() + std::ptrdiff_t(half));
    const bool isTwice =
        x.dims().size() % 2 == 0 &&
        std::equal(dims.begin(), dims.end(), x.dims().begin() + std::ptrdiff_t(half));
    if (!isTwice)
        return context.error("needs a shape whose halves are equal, but it is " +
                             dimsText(x.dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), dims));
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto from = readElements<T>(x);
        const auto to = writeElements<T>(made);
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = from[i * (to.size() + 1)];
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Diag, runDiag);
LAPIDARY_KERNEL(DiagPart, runDiagPart);

} // namespace lapidary
