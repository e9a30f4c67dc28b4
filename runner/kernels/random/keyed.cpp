// SPDX-License-Identifier: Apache-2.0
// The stateless random ops of TensorFlow 2, second version: StatelessRandomGetKeyCounter makes key
// and counter of a generator from a seed (StatelessRandomGetAlg gives the kind of generator: 1 is
// Philox), and StatelessRandomUniformV2 and the others draw from it. They draw the same numbers as
// the first version for that seed.
#include "runner/kernels/random/distributions.h"

namespace lapidary {
namespace {

// Fails unless input `i` is 1 or 3, which means the one that suits the device.
Status checkPhilox(const KernelContext& context, std::size_t i)
{
    const std::int64_t algorithm = context.input(i).integers()[0];
    return algorithm == 1 || algorithm == 3
               ? Status(Done{})
               : context.error("its generator must be Philox (alg 1 or 3), not alg " +
                               std::to_string(algorithm));
}

Status giveAlgorithm(KernelContext& context, std::size_t output)
{
    ASSIGN_OR_RETURN(auto made, context.makeOutput(output, DType::Int32, {}));
    made.mutableAs<std::int32_t>()[0] = 1;
    return Done{};
}

Status runGetAlg(KernelContext& context)
{
    return giveAlgorithm(context, 0);
}

Status runGetKeyCounter(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto generator, statelessGenerator(context, 0));
    ASSIGN_OR_RETURN(auto key, context.makeOutput(0, DType::UInt64, {1}));
    ASSIGN_OR_RETURN(auto counter, context.makeOutput(1, DType::UInt64, {2}));
    const Philox::State state = generator.state();
    key.mutableAs<std::uint64_t>()[0] = state[2];
    counter.mutableAs<std::uint64_t>()[0] = state[0];
    counter.mutableAs<std::uint64_t>()[1] = state[1];
    return context.outputCount() > 2 ? giveAlgorithm(context, 2) : Done{};
}

template <auto give>
Status runKeyed(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    const Value& key = context.input(1);
    const Value& counter = context.input(2);
    if (key.elements() != 1)
        return context.error("key must have shape [1], not " + dimsText(key.dims()));
    if (counter.elements() < 2)
        return context.error("counter must have at least two elements, but its shape is " +
                             dimsText(counter.dims()));
    RETURN_IF_ERROR(checkPhilox(context, 3));
    const auto counts = counter.as<std::uint64_t>();
    return give(context, Philox::of({counts[0], counts[1], key.as<std::uint64_t>()[0]}), dims);
}

} // namespace

LAPIDARY_KERNEL(StatelessRandomGetAlg, runGetAlg);
LAPIDARY_KERNEL(StatelessRandomGetKeyCounter, runGetKeyCounter);
LAPIDARY_KERNEL(StatelessRandomGetKeyCounterAlg, runGetKeyCounter);
LAPIDARY_KERNEL(StatelessRandomUniformV2, runKeyed<giveUniform>,
                .ranks = {Rank::Vector, Rank::Vector, Rank::Vector, Rank::Scalar});
LAPIDARY_KERNEL(StatelessRandomNormalV2, runKeyed<giveNormal>,
                .ranks = {Rank::Vector, Rank::Vector, Rank::Vector, Rank::Scalar});
LAPIDARY_KERNEL(StatelessTruncatedNormalV2, runKeyed<giveTruncatedNormal>,
                .ranks = {Rank::Vector, Rank::Vector, Rank::Vector, Rank::Scalar});
LAPIDARY_KERNEL(StatelessRandomUniformIntV2, runKeyed<giveIntegersAbove<4>>,
                .ranks = {Rank::Vector, Rank::Vector, Rank::Vector, Rank::Scalar});
LAPIDARY_KERNEL(StatelessRandomUniformFullIntV2, runKeyed<giveFullIntegers>,
                .ranks = {Rank::Vector, Rank::Vector, Rank::Vector, Rank::Scalar});

} // namespace lapidary
