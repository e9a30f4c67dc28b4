// SPDX-License-Identifier: Apache-2.0
// Elements chosen by a condition.
#include "runner/guard/run_guard.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// Select: t where the condition is true, else e. The condition has the shape of both, is a scalar,
// or is a vector that chooses whole slices along dimension 0.
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

Status runSelect(KernelContext& context)
{
    const Value& condition = context.input(0);
    const Value& t = context.input(1);
    const Value& e = context.input(2);
    RETURN_IF_ERROR(checkShapes(context));
    const auto chosen = condition.as<bool>();
    if (condition.isScalar())
        return context.setOutput(0, chosen[0] ? t : e);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, t.dtype(), t.dims()));
    if (t.elements() == 0)
        return Done{};
    const auto slice = std::size_t(t.elements() / condition.elements());
    const bool known = dispatchBySize(t.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto yes = readElements<T>(t);
        const auto no = readElements<T>(e);
        const auto out = writeElements<T>(made);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            stopPoint();
            const auto from = (chosen[i] ? yes : no).subspan(i * slice, slice);
            std::ranges::copy(from, out.begin() + std::ptrdiff_t(i * slice));
        }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(t.dtype()));
}

// SelectV2: t where the condition is true, else e; all three are broadcast to one shape.
using Offsets = std::array<std::int64_t, 3>;

// Returns for each axis of `output` the steps of the three inputs; 0 if they repeat.
std::vector<Offsets> stepsOf(const KernelContext& context, const Dims& output)
{
    std::vector<Offsets> steps(output.size(), Offsets{});
    for (std::size_t input = 0; input < 3; ++input) {
        const Dims& dims = context.input(input).dims();
        std::int64_t step = 1;
        for (std::size_t axis = dims.size(); axis-- > 0;) {
            steps[axis + output.size() - dims.size()][input] = dims[axis] == 1 ? 0 : step;
            step = wrapping::mul(step, dims[axis]);
        }
    }
    return steps;
}

// Calls use(offsets of the three inputs) for each element of the output, in order.
template <class Use>
void eachElement(const Dims& output, const std::vector<Offsets>& steps, std::int64_t count,
                 const Use& use)
{
    std::vector<std::int64_t> at(output.size(), 0);
    Offsets offsets{};
    for (std::int64_t i = 0; i < count; ++i) {
        stopPoint();
        use(i, offsets);
        for (std::size_t axis = output.size(); axis-- > 0;) {
            const bool wraps = ++at[axis] == output[axis];
            for (std::size_t k = 0; k < 3; ++k)
                offsets[k] += wraps ? -steps[axis][k] * (output[axis] - 1) : steps[axis][k];
            if (!wraps)
                break;
            at[axis] = 0;
        }
    }
}

Status runSelectV2(KernelContext& context)
{
    const Value& t = context.input(1);
    const Value& e = context.input(2);
    auto shape = Broadcast::of(t.dims(), e.dims());
    if (shape)
        shape = Broadcast::of(context.input(0).dims(), shape->output);
    if (!shape)
        return context.error("condition " + dimsText(context.input(0).dims()) + ", then " +
                             dimsText(t.dims()) + " and else " + dimsText(e.dims()) +
                             " cannot be broadcast");
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, t.dtype(), shape->output));
    const auto steps = stepsOf(context, shape->output);
    const auto chosen = context.input(0).as<bool>();
    const bool known = dispatchBySize(t.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto yes = readElements<T>(t);
        const auto no = readElements<T>(e);
        const auto out = writeElements<T>(made);
        eachElement(shape->output, steps, made.elements(), [&](std::int64_t i, const Offsets& at) {
            out[std::size_t(i)] =
                chosen[std::size_t(at[0])] ? yes[std::size_t(at[1])] : no[std::size_t(at[2])];
        });
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(t.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Select, runSelect);
LAPIDARY_KERNEL(SelectV2, runSelectV2);

} // namespace lapidary
