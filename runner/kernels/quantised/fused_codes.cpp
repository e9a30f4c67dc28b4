// A convolution of codes and what follows it in few sweeps, with the codes that each node alone
// would give:
//   conv, with the range of each channel's sums  ->  sums to codes, bias, codes to codes, relu
// The range of the sums behind the bias needs no sweep of its own: for one channel they grow with
// the sum of the convolution, so that its smallest and largest one have the smallest and largest.
#include "runner/kernels/quantised/fused_codes.h"

#include "runner/kernels/quantised/biases.h"
#include "runner/kernels/quantised/code_convolution.h"
#include "runner/kernels/quantised/fused_stages.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"
#include "runner/kernels/quantised/requantise.h"
#include "runner/kernels/scratch.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Biases {
    CodeRange sum;
    CodeTable table{};
    std::vector<std::int32_t> added;

    // Sums cannot wrap and grow with the code.
    bool isMonotone() const
    {
        constexpr std::int32_t large = 1 << 30;
        const auto isSmall = [](std::int32_t code) { return code > -large && code < large; };
        return std::ranges::is_sorted(table) && std::ranges::all_of(table, isSmall) &&
               std::ranges::all_of(added, isSmall);
    }
    std::int32_t sumOf(std::uint8_t code, std::size_t channel) const
    {
        return wrappingSum32(table[code], added[channel]);
    }
};

// The range of the sums behind the bias.
int8::Range32 rangeBehind(const Biases& biases, const int8::Narrowing& first,
                          const int8::ChannelRanges& ranges, std::span<const std::int32_t> sums)
{
    int8::Range32 range{std::numeric_limits<std::int32_t>::max(),
                        std::numeric_limits<std::int32_t>::lowest()};
    const auto include = [&](std::int32_t sum) {
        range = {std::min(range.least, sum), std::max(range.most, sum)};
    };
    const std::size_t channels = biases.added.size();
    if (!biases.isMonotone() || !first.growsWithin(ranges.all())) {
        for (std::size_t i = 0; i < sums.size(); ++i)
            include(biases.sumOf(first(sums[i]), i % channels));
        return range;
    }
    for (std::size_t c = 0; c < channels; ++c) {
        include(biases.sumOf(first(ranges.least[c]), c));
        include(biases.sumOf(first(ranges.most[c]), c));
    }
    return range;
}

Result<Biases> biasesOf(const KernelContext& context, std::size_t at, CodeRange x,
                        std::int64_t channels)
{
    const Value& bias = context.input(at);
    if (!bias.isVector() || bias.elements() != channels)
        return context.error("the bias must be a vector of " + std::to_string(channels) +
                             " elements, but is " + dimsText(bias.dims()));
    const auto range = rangeOf(context, at + 1);
    if (!range)
        return range.error();
    Biases biases{.sum = biasSumRange(x, range.value())};
    biases.table = movedTable<std::uint8_t>(x, biases.sum);
    biases.added = movedBiases(bias.as<std::uint8_t>(), range.value(), biases.sum);
    return biases;
}

struct Sums {
    CodeRange from;
    std::span<const std::int32_t> all;
    const int8::ChannelRanges& ranges;
};

// row(from, to) for all pixels, shared between the threads.
template <class Row>
void eachPixel(const KernelContext& context, const Sums& sums, std::uint8_t* to, const Row& row)
{
    const auto channels = std::int64_t(sums.ranges.least.size());
    parallelFor(std::int64_t(sums.all.size()) / channels, channels,
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at)
                        row(sums.all.data() + at * channels, to + at * channels);
                });
}

// Requantize, bias, the second Requantize, Relu. The range of the codes. `x`: of the first ones.
Result<CodeRange> addBias(const KernelContext& context, const FusedStages& stages, const Sums& sums,
                          CodeRange x, std::uint8_t* to)
{
    const auto biases = biasesOf(context, *stages.bias, x, std::int64_t(sums.ranges.least.size()));
    if (!biases)
        return errorOf(context, stages.biasNode, biases.error());
    const Biases& b = biases.value();
    const int8::Narrowing first = narrowingOf(sums.from, x);
    const int8::Range32 used =
        stages.second.input ? int8::Range32() : rangeBehind(b, first, sums.ranges, sums.all);
    const auto last = targetOf(context, stages.second, b.sum, used);
    if (!last)
        return last;
    const Real<std::uint8_t> real(x);
    const Code<std::int32_t> code(b.sum);
    const int8::BiasedNarrowing biased(
        first, {real.bias(), real.step(), code.scale(), code.offset(), b.table}, b.added,
        lastNarrowing(stages, b.sum, last.value()));
    eachPixel(context, sums, to,
              [&](const std::int32_t* row, std::uint8_t* codes) { biased.row(row, codes); });
    return last;
}

// The range of the codes.
Result<CodeRange> narrowAll(const KernelContext& context, const FusedStages& stages,
                            const Sums& sums, std::uint8_t* to)
{
    const auto first = targetOf(context, stages.first, sums.from, sums.ranges.all());
    if (!first)
        return first;
    if (stages.bias)
        return addBias(context, stages, sums, first.value(), to);
    const int8::Narrowing narrowing = lastNarrowing(stages, sums.from, first.value());
    const std::size_t channels = sums.ranges.least.size();
    eachPixel(context, sums, to, [&](const std::int32_t* row, std::uint8_t* codes) {
        int8::narrow({row, channels}, narrowing, codes);
    });
    return first;
}

Status run(KernelContext& context)
{
    const FusedStages stages = fusedStagesOf(context);
    if (stages.inputs != context.inputCount())
        return context.error("must have " + std::to_string(stages.inputs) + " inputs, but has " +
                             std::to_string(context.inputCount()));
    if (stages.isSum)
        return runFusedSum(context, stages);
    const auto convolution = codeConvolutionOf(context);
    if (!convolution)
        return errorOf(context, stages.source, convolution.error());
    const int8::Convolution& shape = convolution.value().shape;
    auto sums =
        Scratch<std::int32_t>::make(context.session().pool, shape.outPixels() * shape.filters);
    if (!sums)
        return sums.error();
    int8::ChannelRanges ranges(shape.filters);
    if (const Status summed = convolution.value().run(context, context.state<PackedFilter>(),
                                                      sums.value().all().data(), &ranges);
        !summed)
        return errorOf(context, stages.source, summed.error());
    auto out = context.makeOutput(0, DType::QUInt8,
                                  {shape.batch, shape.outHeight, shape.outWidth, shape.filters});
    if (!out)
        return out.error();
    const auto to =
        narrowAll(context, stages, {convolution.value().range, sums.value().all(), ranges},
                  out.value().mutableAs<std::uint8_t>().data());
    return to ? setRange(context, to.value()) : to.error();
}

} // namespace

const Kernel kernels::fusedCodes{.op = fusedCodesOp, .run = run};

} // namespace lapidary
