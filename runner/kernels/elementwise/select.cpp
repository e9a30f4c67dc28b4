// Select: t where the condition holds, else e. The condition has the shape of both, is a scalar, or
// is a vector that chooses whole slices along dimension 0.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/elementwise/kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

Status checkShapes(const KernelContext& context)
{
    const Dims& condition = context.input(0).dims();
    const Dims& t = context.input(1).dims();
    const Dims& e = context.input(2).dims();
    if (t != e)
        return context.error("'then' and 'else' must have one shape, but they are " + dimsText(t) +
                             " and " + dimsText(e));
    const bool choosesSlices = condition.size() == 1 && !t.empty() && condition[0] == t[0];
    if (!condition.empty() && condition != t && !choosesSlices)
        return context.error("the condition must be a scalar, a vector as long as dimension 0, or "
                             "have the shape " +
                             dimsText(t) + ", but it is " + dimsText(condition));
    return Done{};
}

Status run(KernelContext& context)
{
    const Value& condition = context.input(0);
    const Value& t = context.input(1);
    const Value& e = context.input(2);
    if (const Status status = checkShapes(context); !status)
        return status;
    const auto chosen = condition.as<bool>();
    if (condition.isScalar())
        return context.setOutput(0, chosen[0] ? t : e);
    auto made = context.makeOutput(0, t.dtype(), t.dims());
    if (!made)
        return made.error();
    if (t.elements() == 0)
        return Done{};
    const auto slice = std::size_t(t.elements() / condition.elements());
    const bool known = dispatchBySize(t.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto yes = readElements<T>(t);
        const auto no = readElements<T>(e);
        const auto out = writeElements<T>(made.value());
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const auto from = (chosen[i] ? yes : no).subspan(i * slice, slice);
            std::ranges::copy(from, out.begin() + std::ptrdiff_t(i * slice));
        }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(t.dtype()));
}

} // namespace

const Kernel kernels::select{.op = "Select", .run = run};

} // namespace lapidary
