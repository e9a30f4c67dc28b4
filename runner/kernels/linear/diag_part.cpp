// DiagPart: the diagonal of a tensor whose shape is the same one twice; a scalar stays itself.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/linear/kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

Status run(KernelContext& context)
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
    auto made = context.makeOutput(0, x.dtype(), dims);
    if (!made)
        return made.error();
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto from = readElements<T>(x);
        const auto to = writeElements<T>(made.value());
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = from[i * (to.size() + 1)];
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

const Kernel kernels::diagPart{.op = "DiagPart", .run = run};

} // namespace lapidary
