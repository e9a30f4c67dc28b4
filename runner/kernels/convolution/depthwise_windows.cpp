// SPDX-License-Identifier: Apache-2.0
// A tile is a few outputs by as many channels as one or two registers hold: each tap is read once
// for all of them, and their sums stay in registers until they are stored. Two registers of 32
// bytes hold a whole cache line: the lines of neighboring pixels are often a power of two apart,
// where few of them stay in the cache until the next channels are computed. The code is written
// once, for vectors of any size; gnu::flatten compiles it for the instructions of the calling
// function.
#include "runner/kernels/convolution/depthwise_windows.h"

#include "runner/onednn/instructions.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lapidary {
namespace {

constexpr int mostLanes = 16;
constexpr int mostSums = 8; // in registers

// A vector of floats that are computed at once. `Loose`: one without alignment.
template <int lanes>
struct Vector {
    using Type [[gnu::vector_size(lanes * sizeof(float))]] = float;
    using Loose
        [[gnu::vector_size(lanes * sizeof(float)), gnu::aligned(alignof(float)), gnu::may_alias]] =
            float;
};
template <>
struct Vector<1> {
    using Type = float;
    using Loose = float;
};

// The range of each lane.
struct LaneRanges {
    LaneRanges()
    {
        least.fill(int8::noReals.least);
        most.fill(int8::noReals.most);
    }
    void addTo(int8::RealRange& range) const
    {
        range.least = std::min(range.least, *std::ranges::min_element(least));
        range.most = std::max(range.most, *std::ranges::max_element(most));
    }

    alignas(64) std::array<float, mostLanes> least{};
    alignas(64) std::array<float, mostLanes> most{};
};

struct Tile {
    const DepthwiseWindows& windows;
    const int8::ChannelEnd* end; // null: none
    std::int64_t output;         // the first output
};

// Computes the channels from `c` on that fill so many whole vectors; returns the first one of the
// rest.
template <int lanes, int vectors, int outputs, bool ends>
std::int64_t sumVectors(const Tile& tile, std::int64_t c, LaneRanges& ranges)
{
    using Floats = typename Vector<lanes>::Type;
    using Loose = typename Vector<lanes>::Loose;
    const DepthwiseWindows& w = tile.windows;
    const auto at = [](const float* from) -> const Loose& {
        return *reinterpret_cast<const Loose*>(from);
    };
    Floats least = at(ranges.least.data());
    Floats most = at(ranges.most.data());
    const Floats low = Floats{} + (ends ? tile.end->low : 0);
    constexpr std::int64_t step = std::int64_t{vectors} * lanes;
    for (; c + step <= w.channels; c += step) {
        Floats sums[vectors][outputs] = {};
        for (std::int64_t i = 0; i < w.rows; ++i) {
            const float* from = w.x + tile.output * w.xStep + i * w.xRow + c;
            const float* taps = w.taps + i * w.tapRow + c;
            for (std::int64_t j = 0; j < w.columns; ++j, from += w.channels, taps += w.channels) {
#pragma GCC unroll 8
                for (int o = 0; o < outputs; ++o)
#pragma GCC unroll 2
                    for (std::int64_t v = 0; v < vectors; ++v)
                        sums[v][o] += at(from + o * w.xStep + v * lanes) * at(taps + v * lanes);
            }
        }
        float* const to = w.y + tile.output * w.channels + c;
#pragma GCC unroll 2
        for (std::int64_t v = 0; v < vectors; ++v)
#pragma GCC unroll 8
            for (int o = 0; o < outputs; ++o) {
                Floats y = sums[v][o];
                if constexpr (ends) {
                    const std::int64_t channel = c + v * lanes;
                    const Floats high = at(tile.end->highs.data() + channel);
                    y = y * at(tile.end->factors.data() + channel) +
                        at(tile.end->offsets.data() + channel);
                    y = y < low ? low : y;
                    y = high < y ? high : y;
                    least = y < least ? y : least;
                    most = most < y ? y : most;
                }
                *reinterpret_cast<Loose*>(to + o * w.channels + v * lanes) = y;
            }
    }
    *reinterpret_cast<Loose*>(ranges.least.data()) = least;
    *reinterpret_cast<Loose*>(ranges.most.data()) = most;
    return c;
}

// Computes all channels of a tile.
template <int lanes, int vectors, int outputs, bool ends>
void sumTile(const Tile& tile, LaneRanges& ranges)
{
    std::int64_t c = sumVectors<lanes, vectors, outputs, ends>(tile, 0, ranges);
    if constexpr (lanes * vectors > 8)
        c = sumVectors<8, 1, outputs, ends>(tile, c, ranges);
    if constexpr (lanes > 4)
        c = sumVectors<4, 1, outputs, ends>(tile, c, ranges);
    sumVectors<1, 1, outputs, ends>(tile, c, ranges);
}

// Computes tiles of `outputs` outputs, then of half as many.
template <int lanes, int vectors, int outputs, bool ends>
void sumTiles(const DepthwiseWindows& windows, const int8::ChannelEnd* end, std::int64_t output,
              LaneRanges& ranges)
{
    for (; output + outputs <= windows.outputs; output += outputs)
        sumTile<lanes, vectors, outputs, ends>({windows, end, output}, ranges);
    if constexpr (outputs > 1)
        sumTiles<lanes, vectors, outputs / 2, ends>(windows, end, output, ranges);
}

template <int lanes, int vectors>
void sumAll(const DepthwiseWindows& windows, const int8::ChannelEnd* end, int8::RealRange& range)
{
    constexpr int outputs = mostSums / vectors;
    LaneRanges ranges;
    if (end == nullptr)
        return sumTiles<lanes, vectors, outputs, false>(windows, end, 0, ranges);
    sumTiles<lanes, vectors, outputs, true>(windows, end, 0, ranges);
    ranges.addTo(range);
}

using Sum = void (*)(const DepthwiseWindows& windows, const int8::ChannelEnd* end,
                     int8::RealRange& range);

#ifdef __x86_64__
[[gnu::target("avx512f"), gnu::flatten]] void
sumSixteens(const DepthwiseWindows& windows, const int8::ChannelEnd* end, int8::RealRange& range)
{
    sumAll<16, 1>(windows, end, range);
}

[[gnu::target("avx2"), gnu::flatten]] void
sumEights(const DepthwiseWindows& windows, const int8::ChannelEnd* end, int8::RealRange& range)
{
    sumAll<8, 2>(windows, end, range);
}
#endif

Sum sumHere()
{
#ifdef __x86_64__
    const onednn::Instructions here = onednn::instructions();
    if (here.avx512)
        return sumSixteens;
    if (here.avx2)
        return sumEights;
#endif
    return sumAll<4, 1>;
}

} // namespace

void sumWindows(const DepthwiseWindows& windows, const int8::ChannelEnd* end,
                int8::RealRange& range)
{
    static const Sum sum = sumHere();
    sum(windows, end, range);
}

} // namespace lapidary
