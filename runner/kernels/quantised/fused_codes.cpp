// A convolution of codes and what follows it in few sweeps, with the codes that each node alone
// would give:
//   conv, with the range of its sums  ->  sums to codes  ->  bias, codes to codes, relu
// The range of the sums behind the bias needs no sweep of its own: for one channel they grow with
// the code, so that each channel's smallest and largest code have the smallest and largest sum.
#include "runner/kernels/quantised/fused_codes.h"

#include "runner/kernels/quantised/biases.h"
#include "runner/kernels/quantised/code_convolution.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"
#include "runner/kernels/quantised/requantise.h"
#include "runner/kernels/scratch.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace lapidary {
namespace {

constexpr std::size_t convolutionInputs = 6;

// Requantize: into the range of two inputs, or that in use.
struct Narrower {
    std::optional<std::size_t> input;
};

struct Stages {
    Narrower first;
    std::optional<std::size_t> bias; // its first input
    Narrower second;
    std::string_view relu;
    std::size_t inputs = convolutionInputs;
};

Stages stagesOf(std::string_view text)
{
    Stages stages;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const std::string_view name = text.substr(0, comma);
        text = text.substr(std::min(comma + 1, text.size()));
        if (name == codeStages::bias) {
            stages.bias = stages.inputs;
            stages.inputs += 3;
        } else if (name == codeStages::narrow) {
            (stages.bias ? stages.second : stages.first).input = stages.inputs;
            stages.inputs += 2;
        } else if (name != codeStages::shrink) {
            stages.relu = name;
        }
    }
    return stages;
}

// The range that sums are narrowed into; `used`: theirs.
Result<CodeRange> targetOf(const KernelContext& context, const Narrower& narrower, CodeRange from,
                           int8::Range32 used)
{
    if (!narrower.input)
        return usedRange(used, from);
    const auto asked = rangeOf(context, *narrower.input);
    if (!asked)
        return asked.error();
    const Status holds = checkRequested(context, asked.value());
    return holds ? asked : holds.error();
}

int8::Narrowing lastNarrowing(const Stages& stages, CodeRange from, CodeRange to)
{
    const bool isHeld = !stages.relu.empty();
    return narrowingOf(from, to, isHeld ? nearestCode<std::uint8_t>(0, to) : 0,
                       stages.relu == codeStages::relu6 ? nearestCode<std::uint8_t>(6, to) : 255);
}

// The smallest and the largest code of each channel.
struct ChannelCodes {
    explicit ChannelCodes(std::int64_t channels)
        : low(std::size_t(channels), 255)
        , high(std::size_t(channels), 0)
    {
    }
    void include(const std::uint8_t* lows, const std::uint8_t* highs)
    {
        for (std::size_t c = 0; c < low.size(); ++c) {
            low[c] = std::min(low[c], lows[c]);
            high[c] = std::max(high[c], highs[c]);
        }
    }
    std::vector<std::uint8_t> low;
    std::vector<std::uint8_t> high;
};

// Sums to codes in rows of channels; what codes each channel has.
ChannelCodes narrowRows(const KernelContext& context, std::span<const std::int32_t> sums,
                        std::int64_t channels, const int8::Narrowing& narrowing, std::uint8_t* to)
{
    ChannelCodes all(channels);
    std::mutex guard;
    parallelFor(
        std::int64_t(sums.size()) / channels, channels, [&](std::int64_t begin, std::int64_t end) {
            ChannelCodes mine(channels);
            for (std::int64_t row = begin; row < end && !context.job().cancelled(); ++row) {
                std::uint8_t* codes = to + row * channels;
                int8::narrow(sums.subspan(std::size_t(row * channels), std::size_t(channels)),
                             narrowing, codes);
                mine.include(codes, codes);
            }
            const std::lock_guard lock(guard);
            all.include(mine.low.data(), mine.high.data());
        });
    return all;
}

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

int8::Range32 rangeBehind(const Biases& biases, const ChannelCodes& codes,
                          std::span<const std::uint8_t> all)
{
    int8::Range32 range{std::numeric_limits<std::int32_t>::max(),
                        std::numeric_limits<std::int32_t>::lowest()};
    const auto include = [&](std::int32_t sum) {
        range = {std::min(range.least, sum), std::max(range.most, sum)};
    };
    const std::size_t channels = biases.added.size();
    if (!biases.isMonotone()) {
        for (std::size_t i = 0; i < all.size(); ++i)
            include(biases.sumOf(all[i], i % channels));
        return range;
    }
    for (std::size_t c = 0; c < channels; ++c) {
        include(biases.sumOf(codes.low[c], c));
        include(biases.sumOf(codes.high[c], c));
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

// Codes of the range `x`, in place: bias, the second Requantize, Relu. The range they are then in.
Result<CodeRange> addBias(const KernelContext& context, const Stages& stages, CodeRange x,
                          const ChannelCodes& channelCodes, std::span<std::uint8_t> codes)
{
    const auto channels = std::int64_t(channelCodes.low.size());
    const auto biases = biasesOf(context, *stages.bias, x, channels);
    if (!biases)
        return biases.error();
    const Biases& b = biases.value();
    const int8::Range32 used =
        stages.second.input ? int8::Range32() : rangeBehind(b, channelCodes, codes);
    const auto to = targetOf(context, stages.second, b.sum, used);
    if (!to)
        return to;
    const Real<std::uint8_t> real(x);
    const Code<std::int32_t> code(b.sum);
    const int8::ShiftedNarrowing shifted(
        {real.bias(), real.step(), code.scale(), code.offset(), b.table},
        lastNarrowing(stages, b.sum, to.value()));
    parallelFor(
        std::int64_t(codes.size()) / channels, channels, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end && !context.job().cancelled(); ++row)
                shifted.row(codes.data() + row * channels, b.added, codes.data() + row * channels);
        });
    return to;
}

Status run(KernelContext& context)
{
    const Stages stages = stagesOf(context.stringAttr("stages"));
    if (stages.inputs != context.inputCount())
        return context.error("must have " + std::to_string(stages.inputs) + " inputs, but has " +
                             std::to_string(context.inputCount()));
    const auto convolution = codeConvolutionOf(context);
    if (!convolution)
        return convolution.error();
    const int8::Convolution& shape = convolution.value().shape;
    auto sums =
        Scratch<std::int32_t>::make(context.session().pool, shape.outPixels() * shape.filters);
    if (!sums)
        return sums.error();
    int8::Range32 used;
    if (const Status summed = convolution.value().run(context, context.state<PackedFilter>(),
                                                      sums.value().all().data(),
                                                      stages.first.input ? nullptr : &used);
        !summed)
        return summed;
    const CodeRange from = convolution.value().range;
    auto to = targetOf(context, stages.first, from, used);
    if (!to)
        return to.error();
    auto out = context.makeOutput(0, DType::QUInt8,
                                  {shape.batch, shape.outHeight, shape.outWidth, shape.filters});
    if (!out)
        return out.error();
    const auto codes = out.value().mutableAs<std::uint8_t>();
    const int8::Narrowing narrowing =
        stages.bias ? narrowingOf(from, to.value()) : lastNarrowing(stages, from, to.value());
    const ChannelCodes channelCodes =
        narrowRows(context, sums.value().all(), shape.filters, narrowing, codes.data());
    if (stages.bias)
        to = addBias(context, stages, to.value(), channelCodes, codes);
    return to ? setRange(context, to.value()) : to.error();
}

} // namespace

const Kernel kernels::fusedCodes{.op = fusedCodesOp, .run = run};

} // namespace lapidary
