// SPDX-License-Identifier: Apache-2.0
// GatherTree: whole sequences from the steps of a beam search. `step_ids` and `parent_ids` are
// [time, batch, beams]: at each step a beam appended one token to the sequence of its parent, one
// of the beams of the step before.
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Steps {
    std::span<const std::int32_t> tokens;
    std::span<const std::int32_t> parents;
    std::int64_t times = 0;
    std::int64_t batch = 0;
    std::int64_t beams = 0;
    std::int32_t endToken = 0;

    std::size_t at(std::int64_t time, std::int64_t example, std::int64_t beam) const
    {
        return std::size_t((time * batch + example) * beams + beam);
    }
};

Status checkSteps(const KernelContext& context)
{
    const Dims& steps = context.input(0).dims();
    if (context.input(1).dims() != steps)
        return context.error("step_ids and parent_ids must have one shape, but have " +
                             dimsText(steps) + " and " + dimsText(context.input(1).dims()));
    if (context.input(2).dim(0) != steps[1])
        return context.error("there are " + std::to_string(context.input(2).dim(0)) +
                             " sequence lengths for a batch of " + std::to_string(steps[1]));
    return Done{};
}

// Walks from the last step of a beam back along its parents. All tokens after the first end token
// become end tokens, too, because a fed trajectory may hold others.
Status followBack(const KernelContext& context, const Steps& steps, std::int64_t example,
                  std::int64_t beam, std::int64_t length, std::span<std::int32_t> y)
{
    std::int64_t from = beam;
    for (std::int64_t time = length - 1; time >= 0; --time) {
        if (from < 0 || from >= steps.beams)
            return context.error("parent " + std::to_string(from) + " of step " +
                                 std::to_string(time + 1) + ", example " + std::to_string(example) +
                                 " is none of " + std::to_string(steps.beams) + " beams");
        y[steps.at(time, example, beam)] = steps.tokens[steps.at(time, example, from)];
        from = steps.parents[steps.at(time, example, from)];
    }
    bool hasEnded = false;
    for (std::int64_t time = 0; time < length; ++time) {
        std::int32_t& token = y[steps.at(time, example, beam)];
        token = hasEnded ? steps.endToken : token;
        hasEnded = hasEnded || token == steps.endToken;
    }
    return Done{};
}

Status runGatherTree(KernelContext& context)
{
    RETURN_IF_ERROR(checkSteps(context));
    const Dims& dims = context.input(0).dims();
    const Steps steps{.tokens = context.input(0).as<std::int32_t>(),
                      .parents = context.input(1).as<std::int32_t>(),
                      .times = dims[0],
                      .batch = dims[1],
                      .beams = dims[2],
                      .endToken = context.input(3).as<std::int32_t>()[0]};
    const auto lengths = context.input(2).as<std::int32_t>();
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int32, dims));
    const auto y = made.mutableAs<std::int32_t>();
    std::ranges::fill(y, steps.endToken);
    for (std::int64_t example = 0; example < steps.batch && !y.empty(); ++example) {
        const auto length = std::min<std::int64_t>(lengths[std::size_t(example)], steps.times);
        for (std::int64_t beam = 0; beam < steps.beams; ++beam) {
            if (context.job().cancelled())
                return cancelledError();
            RETURN_IF_ERROR(followBack(context, steps, example, beam, length, y));
        }
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(GatherTree, runGatherTree,
                .ranks = {Rank::Three, Rank::Three, Rank::Vector, Rank::Scalar});

} // namespace lapidary
