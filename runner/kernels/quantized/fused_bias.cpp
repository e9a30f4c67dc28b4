// SPDX-License-Identifier: Apache-2.0
// A QuantizedBiasAdd and the requantization of its sums, without storing the sums. One pass finds
// the smallest and largest code of each channel, which have the smallest and largest sums; a second
// one writes the new codes.
#include "runner/kernels/quantized/fused_biases.h"
#include "runner/kernels/quantized/fused_stages.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace lapidary {
namespace {

struct ChannelCodes {
    std::vector<std::uint8_t> least;
    std::vector<std::uint8_t> most;

    explicit ChannelCodes(std::size_t channels)
        : least(channels, 255)
        , most(channels, 0)
    {
    }
    // Includes one number for each channel, from the first channel on; at most as many as there are
    // channels.
    void include(std::span<const std::uint8_t> lows, std::span<const std::uint8_t> highs)
    {
        std::uint8_t* const low = least.data();
        std::uint8_t* const high = most.data();
        for (std::size_t i = 0; i < lows.size(); ++i) {
            low[i] = std::min(low[i], lows[i]);
            high[i] = std::max(high[i], highs[i]);
        }
    }
};

// If there are few channels, several pixels are treated as one, so that rows are long enough for
// vectors.
ChannelCodes channelCodes(std::span<const std::uint8_t> codes, std::size_t channels)
{
    constexpr std::size_t longEnough = 512;
    const std::size_t width = channels * std::max<std::size_t>(1, longEnough / channels);
    const std::size_t rows = codes.size() / width;
    ChannelCodes all(width);
    std::mutex guard;
    parallelFor(std::int64_t(rows), std::int64_t(width / 16 + 1),
                [&](std::int64_t begin, std::int64_t end) {
                    ChannelCodes mine(width);
                    for (auto row = std::size_t(begin); row < std::size_t(end); ++row) {
                        const auto part = codes.subspan(row * width, width);
                        mine.include(part, part);
                    }
                    const std::lock_guard lock(guard);
                    all.include(mine.least, mine.most);
                });
    all.include(codes.subspan(rows * width), codes.subspan(rows * width));
    ChannelCodes byChannel(channels);
    for (std::size_t at = 0; at < width; at += channels)
        byChannel.include(std::span(all.least).subspan(at, channels),
                          std::span(all.most).subspan(at, channels));
    return byChannel;
}

int8::Range32 rangeBehind(const FusedBiases& biases, std::span<const std::uint8_t> codes)
{
    SumRange range;
    const std::size_t channels = biases.added.size();
    if (codes.empty())
        return range.range();
    if (!biases.isMonotone()) {
        for (std::size_t i = 0; i < codes.size(); ++i)
            range.include(biases.sumOf(codes[i], i % channels));
        return range.range();
    }
    const ChannelCodes ends = channelCodes(codes, channels);
    return biases.sumsOf(ends.least, ends.most);
}

} // namespace

Status runFusedBias(KernelContext& context, const FusedStages& stages)
{
    if (const Status shapes = checkBiasShapes(context); !shapes)
        return errorOf(context, stages.source, shapes.error());
    const auto x = rangeOf(context, 2);
    if (!x)
        return errorOf(context, stages.source, x.error());
    const Value& input = context.input(0);
    const auto biases = FusedBiases::of(context, 1, 4, *x, input.dim(input.rank() - 1));
    if (!biases)
        return errorOf(context, stages.source, biases.error());
    const FusedBiases& b = *biases;
    const auto codes = input.as<std::uint8_t>();
    ASSIGN_OR_RETURN(const auto to,
                     targetOf(context, stages.first, b.sum,
                              stages.first.input ? int8::Range32() : rangeBehind(b, codes)));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QUInt8, input.dims()));
    const int8::BiasedRequantization biased({}, {}, b.shift(), b.added,
                                            lastRequantization(stages, b.sum, to));
    std::uint8_t* const made = out.mutableAs<std::uint8_t>().data();
    const std::size_t channels = b.added.size();
    if (!codes.empty())
        parallelFor(std::int64_t(codes.size() / channels), std::int64_t(channels / 2 + 1),
                    [&](std::int64_t begin, std::int64_t end) {
                        const std::size_t at = std::size_t(begin) * channels;
                        biased.run(codes.subspan(at, std::size_t(end - begin) * channels),
                                   made + at);
                    });
    return setRange(context, to);
}

} // namespace lapidary
