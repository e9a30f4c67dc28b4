// SPDX-License-Identifier: Apache-2.0
// A convolution of codes and the nodes after it in few passes, with the codes that separate nodes
// would give:
//   conv, with the range of each channel's sums  ->  sums to codes, bias, codes to codes, relu
// The range of the sums after the bias needs no pass of its own: within a channel they are
// monotonic in the sum of the convolution, so its smallest and largest sum give the limits.
#include "runner/kernels/quantized/fused_codes.h"

#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/code_convolution.h"
#include "runner/kernels/quantized/fused_biases.h"
#include "runner/kernels/quantized/fused_stages.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/quantized/requantize_codes.h"
#include "runner/kernels/scratch.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

struct Sums {
    CodeRange from;
    std::span<const std::int32_t> all;
    const int8::ChannelRanges& ranges;
    int8::Range32 range; // of all sums
};

// Returns the range of the sums after the bias.
int8::Range32 rangeBehind(const FusedBiases& biases, const int8::Requantization& first,
                          const Sums& sums)
{
    const std::size_t channels = biases.added.size();
    if (!biases.isMonotone() || !first.growsWithin(sums.range)) {
        SumRange range;
        for (std::size_t i = 0; i < sums.all.size(); ++i)
            range.include(biases.sumOf(first(sums.all[i]), i % channels));
        return range.range();
    }
    std::vector<std::uint8_t> least(channels);
    std::vector<std::uint8_t> most(channels);
    int8::requantize(sums.ranges.least, first, least.data());
    int8::requantize(sums.ranges.most, first, most.data());
    return biases.sumsOf(least, most);
}

// Calls codes(sums, to) for all pixels, shared between the threads.
template <class MakeCodes>
void eachPart(const KernelContext& context, const Sums& sums, std::uint8_t* to,
              const MakeCodes& codes)
{
    constexpr std::int64_t atOnce = 1 << 16;
    const auto channels = std::int64_t(sums.ranges.least.size());
    const std::int64_t block = std::max<std::int64_t>(1, atOnce / channels);
    parallelFor(
        std::int64_t(sums.all.size()) / channels, channels,
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t at = begin; at < end && !context.job().cancelled(); at += block) {
                const std::int64_t pixels = std::min(block, end - at);
                codes(sums.all.subspan(std::size_t(at * channels), std::size_t(pixels * channels)),
                      to + at * channels);
            }
        });
}

// Computes Requantize, the bias, the second Requantize and Relu; returns the range of the codes.
// `x`: the range of the codes after the first Requantize.
Result<CodeRange> addBias(const KernelContext& context, const FusedStages& stages, const Sums& sums,
                          CodeRange x, std::uint8_t* to)
{
    const auto biases = FusedBiases::of(context, *stages.bias, *stages.bias + 1, x,
                                        std::int64_t(sums.ranges.least.size()));
    if (!biases)
        return errorOf(context, stages.biasNode, biases.error());
    const FusedBiases& b = *biases;
    const int8::Requantization first = requantizationOf(sums.from, x);
    const int8::Range32 used = stages.second.input ? int8::Range32() : rangeBehind(b, first, sums);
    const auto last = targetOf(context, stages.second, b.sum, used);
    if (!last)
        return last;
    const int8::BiasedRequantization biased(first, sums.range, b.shift(), b.added,
                                            lastRequantization(stages, b.sum, *last));
    eachPart(context, sums, to, [&](std::span<const std::int32_t> part, std::uint8_t* codes) {
        biased.run(part, codes);
    });
    return last;
}

// Requantizes the sums; returns the range of the codes.
Result<CodeRange> requantizeAll(const KernelContext& context, const FusedStages& stages,
                                const Sums& sums, std::uint8_t* to)
{
    const auto first = targetOf(context, stages.first, sums.from, sums.range);
    if (!first)
        return first;
    if (stages.bias)
        return addBias(context, stages, sums, *first, to);
    const int8::Requantization requantization = lastRequantization(stages, sums.from, *first);
    eachPart(context, sums, to, [&](std::span<const std::int32_t> part, std::uint8_t* codes) {
        int8::requantize(part, requantization, codes);
    });
    return first;
}

// The state that the node keeps from run to run.
struct FusedState {
    std::optional<FusedStages> stages; // their names are views into the node
    CodeConvolutionState convolution;
};

// Checks the types of the inputs, because the op has no signature.
Status checkTypes(const KernelContext& context, const FusedStages& stages)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const DType wanted = i < 2 || i == stages.bias ? DType::QUInt8 : DType::Float;
        if (context.input(i).dtype() != wanted)
            return context.error("its input " + std::to_string(i) + " is " +
                                 dtypeName(context.input(i).dtype()) + ", not " +
                                 dtypeName(wanted));
    }
    return Done{};
}

Status runFusedCodes(KernelContext& context)
{
    auto& state = context.state<FusedState>();
    if (!state.stages)
        state.stages = fusedStagesOf(context);
    const FusedStages& stages = *state.stages;
    if (stages.inputs != context.inputCount())
        return context.error("must have " + std::to_string(stages.inputs) + " inputs, but has " +
                             std::to_string(context.inputCount()));
    RETURN_IF_ERROR(checkTypes(context, stages));
    if (stages.begin == FusedStages::Begin::Sum)
        return runFusedSum(context, stages);
    if (stages.begin == FusedStages::Begin::Bias)
        return runFusedBias(context, stages);
    const auto convolution = codeConvolutionOf(context, state.convolution);
    if (!convolution)
        return errorOf(context, stages.source, convolution.error());
    const int8::Convolution& shape = convolution->shape;
    ASSIGN_OR_RETURN(auto sums, Scratch<std::int32_t>::make(context.session().pool,
                                                            shape.outPixels() * shape.filters));
    int8::ChannelRanges ranges(shape.filters);
    if (const Status summed =
            convolution->run(context, state.convolution.packed, sums.all().data(), &ranges);
        !summed)
        return errorOf(context, stages.source, summed.error());
    ASSIGN_OR_RETURN(auto out, context.makeOutput(
                                   0, DType::QUInt8,
                                   {shape.batch, shape.outHeight, shape.outWidth, shape.filters}));
    const auto to =
        requantizeAll(context, stages, {convolution->range, sums.all(), ranges, ranges.all()},
                      out.mutableAs<std::uint8_t>().data());
    return to ? setRange(context, to.value()) : to.error();
}

} // namespace

LAPIDARY_KERNEL(_LapidaryCodes, runFusedCodes);

} // namespace lapidary
