// Diag: a tensor of twice the rank with x on its diagonal, 0 elsewhere.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/linear/kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.isScalar())
        return context.error("needs at least one dimension, but the input is a scalar");
    Dims dims = x.dims();
    dims.insert(dims.end(), x.dims().begin(), x.dims().end());
    auto made = context.makeOutput(0, x.dtype(), dims);
    if (!made)
        return made.error();
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto from = readElements<T>(x);
        const auto to = writeElements<T>(made.value());
        std::ranges::fill(to, T());
        for (std::size_t i = 0; i < from.size(); ++i)
            to[i * (from.size() + 1)] = from[i];
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

const Kernel kernels::diag{.op = "Diag", .run = run};

} // namespace lapidary
