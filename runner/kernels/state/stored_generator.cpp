// SPDX-License-Identifier: Apache-2.0
// Generators whose state is a variable (tf.random.Generator): counter and key of a Philox. RngSkip
// and RngReadAndSkip move the counter on, by 256 for each number that is to be left out; the latter
// gives the state before. StatefulUniform and the others draw, and move it on for what they drew.
#include "runner/kernels/random/distributions.h"
#include "runner/kernels/random/groups.h"
#include "runner/kernels/state/variable.h"

#include <algorithm>

namespace lapidary {
namespace {

struct StoredGenerator {
    std::shared_ptr<Variable> variable;
    Philox philox;
};

// The variable of input 0 as a generator of the kind that input 1 names.
Result<StoredGenerator> storedGenerator(const KernelContext& context)
{
    ASSIGN_OR_RETURN(auto variable, initializedInput(context, 0));
    const std::int64_t algorithm = context.input(1).integers()[0];
    if (algorithm != 1 && algorithm != 3)
        return context.error("its generator must be Philox (algorithm 1 or 3), not algorithm " +
                             std::to_string(algorithm));
    const Value& held = variable->value();
    if (held.dtype() != DType::Int64 || !held.isVector() || held.elements() < 3)
        return context.error("the state of a Philox generator must be an int64 vector of at least "
                             "3 elements, not " +
                             dtypeName(held.dtype()) + " " + dimsText(held.dims()));
    Philox::State state{};
    std::ranges::copy(held.as<std::uint64_t>().first(state.size()), state.begin());
    return StoredGenerator{std::move(variable), Philox::of(state)};
}

Status moveOn(KernelContext& context, StoredGenerator& stored, std::uint64_t numbers)
{
    stored.philox.skip(numbers * reserved);
    ASSIGN_OR_RETURN(auto value, stored.variable->take(context));
    std::ranges::copy(stored.philox.state(), value.mutableAs<std::uint64_t>().begin());
    stored.variable->set(std::move(value));
    return Done{};
}

Status runSkip(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto stored, storedGenerator(context));
    if (context.outputCount() > 0) {
        ASSIGN_OR_RETURN(auto before, context.makeOutput(0, DType::Int64, {3}));
        std::ranges::copy(stored.philox.state(), before.mutableAs<std::uint64_t>().begin());
    }
    return moveOn(context, stored, context.input(2).as<std::uint64_t>()[0]);
}

template <auto give>
Status runStored(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto stored, storedGenerator(context));
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 2));
    RETURN_IF_ERROR(give(context, stored.philox, dims));
    std::uint64_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::uint64_t(dim);
    return moveOn(context, stored, count);
}

} // namespace

LAPIDARY_KERNEL(RngSkip, runSkip, .ranks = {Rank::Any, Rank::Scalar, Rank::Scalar});
LAPIDARY_KERNEL(RngReadAndSkip, runSkip, .ranks = {Rank::Any, Rank::Scalar, Rank::Scalar});
LAPIDARY_KERNEL(StatefulUniform, runStored<giveUniform>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulStandardNormalV2, runStored<giveNormal>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulTruncatedNormal, runStored<giveTruncatedNormal>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulUniformInt, runStored<giveIntegersAbove<3>>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulUniformFullInt, runStored<giveFullIntegers>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});

} // namespace lapidary
