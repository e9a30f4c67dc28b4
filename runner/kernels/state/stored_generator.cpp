// SPDX-License-Identifier: Apache-2.0
// Generators whose state is a variable (tf.random.Generator): counter and key of a Philox. RngSkip
// and RngReadAndSkip advance the counter by 256 for each number to skip; the latter gives the state
// before. StatefulUniform and the others draw numbers, and advance it alike.
#include "runner/kernels/random/distributions.h"
#include "runner/kernels/random/groups.h"
#include "runner/kernels/state/variable.h"

#include <algorithm>

namespace lapidary {
namespace {

struct StoredGenerator {
    std::shared_ptr<Variable> variable;
    std::size_t at = 0; // index of the state in the variable
    Philox philox;
};

// Returns the variable of input 0 as a generator. Its kind is input 1, or in the first version of
// the ops a number before the state.
Result<StoredGenerator> storedGenerator(const KernelContext& context, bool isTagged)
{
    ASSIGN_OR_RETURN(auto variable, initializedInput(context, 0));
    const std::size_t at = isTagged ? 1 : 0;
    const std::size_t least = Philox::State().size() + at;
    const Value& held = variable->value();
    if (held.dtype() != DType::Int64 || !held.isVector() || std::size_t(held.elements()) < least)
        return context.error(
            "the state of a Philox generator must be an int64 vector of at least " +
            std::to_string(least) + " elements, not " + dtypeName(held.dtype()) + " " +
            dimsText(held.dims()));
    const std::int64_t algorithm =
        isTagged ? held.as<std::int64_t>()[0] : context.input(1).integers()[0];
    if (algorithm != 1 && (algorithm != 3 || isTagged))
        return context.error("its generator must be Philox (algorithm 1 or 3), not algorithm " +
                             std::to_string(algorithm));
    Philox::State state{};
    std::ranges::copy(held.as<std::uint64_t>().subspan(at, state.size()), state.begin());
    return StoredGenerator{std::move(variable), at, Philox::of(state)};
}

Status moveOn(KernelContext& context, StoredGenerator& stored, std::uint64_t numbers)
{
    stored.philox.skip(numbers * reserved);
    ASSIGN_OR_RETURN(auto value, stored.variable->take(context));
    std::ranges::copy(stored.philox.state(),
                      value.mutableAs<std::uint64_t>().subspan(stored.at).begin());
    stored.variable->set(std::move(value));
    return Done{};
}

Status runSkip(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto stored, storedGenerator(context, false));
    if (context.outputCount() > 0) {
        ASSIGN_OR_RETURN(auto before, context.makeOutput(0, DType::Int64, {3}));
        std::ranges::copy(stored.philox.state(), before.mutableAs<std::uint64_t>().begin());
    }
    return moveOn(context, stored, context.input(2).as<std::uint64_t>()[0]);
}

template <auto give, bool isTagged = false>
Status runStored(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto stored, storedGenerator(context, isTagged));
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, isTagged ? 1 : 2));
    RETURN_IF_ERROR(give(context, stored.philox, dims));
    std::uint64_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::uint64_t(dim);
    return moveOn(context, stored, count);
}

Status runTaggedNormal(KernelContext& context)
{
    return runStored<giveNormal, true>(context);
}

} // namespace

LAPIDARY_KERNEL(RngSkip, runSkip, .ranks = {Rank::Any, Rank::Scalar, Rank::Scalar});
LAPIDARY_KERNEL(RngReadAndSkip, runSkip, .ranks = {Rank::Any, Rank::Scalar, Rank::Scalar});
LAPIDARY_KERNEL(StatefulUniform, runStored<giveUniform>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulStandardNormal, runTaggedNormal, .ranks = {Rank::Any, Rank::Vector});
LAPIDARY_KERNEL(StatefulStandardNormalV2, runStored<giveNormal>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulTruncatedNormal, runStored<giveTruncatedNormal>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulUniformInt, runStored<giveIntegersAbove<3>>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});
LAPIDARY_KERNEL(StatefulUniformFullInt, runStored<giveFullIntegers>,
                .ranks = {Rank::Any, Rank::Scalar, Rank::Vector});

} // namespace lapidary
