// SelectV2: t where the condition holds, else e; all three are broadcast to one shape.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/wrapping.h"

#include <array>

namespace lapidary {
namespace {

using Offsets = std::array<std::int64_t, 3>;

// For each axis of `output` the steps of the three inputs, 0 where they repeat.
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

Status run(KernelContext& context)
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
    auto made = context.makeOutput(0, t.dtype(), shape->output);
    if (!made)
        return made.error();
    const auto steps = stepsOf(context, shape->output);
    const auto chosen = context.input(0).as<bool>();
    const bool known = dispatchBySize(t.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto yes = readElements<T>(t);
        const auto no = readElements<T>(e);
        const auto out = writeElements<T>(made.value());
        eachElement(shape->output, steps, made.value().elements(),
                    [&](std::int64_t i, const Offsets& at) {
                        out[std::size_t(i)] = chosen[std::size_t(at[0])] ? yes[std::size_t(at[1])]
                                                                         : no[std::size_t(at[2])];
                    });
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(t.dtype()));
}

} // namespace

const Kernel kernels::selectV2{.op = "SelectV2", .run = run};

} // namespace lapidary
