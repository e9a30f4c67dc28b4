// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/requantization.h"

#include "graph_model/base/clamped_cast.h"
#include "runner/int8/requantization_vectors.h"
#include "runner/int8/requantization_wide.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace lapidary::int8 {
namespace {

// Returns whether float holds these integers exactly.
bool isSmall(std::int32_t code)
{
    constexpr std::int32_t large = 1 << 22;
    return code > -large && code < large;
}

bool isSmall(Range32 codes)
{
    return isSmall(codes.least) && isSmall(codes.most);
}

// Returns the largest absolute value in a range of small numbers.
std::int32_t largestOf(Range32 codes)
{
    return std::max(std::abs(codes.least), std::abs(codes.most));
}

// Fills the rest with repetitions of the numbers [0, count).
template <class T>
void repeat(std::vector<T>& numbers, std::size_t count)
{
    for (std::size_t i = count; i < numbers.size(); ++i)
        numbers[i] = numbers[i - count];
}

std::uint8_t quantized(float x, float scale, float offset)
{
    return clampedTo<std::uint8_t>(std::round(x * scale) - offset);
}

} // namespace

std::uint8_t Requantization::operator()(std::int32_t sum) const
{
    const auto scaled =
        std::int64_t(std::uint64_t(std::int64_t(float(sum))) * std::uint64_t(scale));
    const auto fixed = std::int64_t(std::uint64_t(scaled >> 32) + std::uint64_t(offset));
    const auto code = std::uint8_t(std::clamp<std::int64_t>(fixed >> 16, 0, 255));
    return std::min(std::max(code, low), high);
}

bool Requantization::growsWithin(Range32 sums) const
{
    constexpr double wraps = 4611686018427387904.0; // 2^62: far enough from overflow
    const double largest = std::max(std::fabs(double(sums.least)), std::fabs(double(sums.most)));
    return scale >= 0 && (largest + 1) * double(scale) < wraps &&
           std::fabs(double(offset)) < wraps / 2;
}

void requantize(std::span<const std::int32_t> sums, const Requantization& requantization,
                std::uint8_t* to)
{
    for (std::size_t i = requantizeVectors(sums, requantization, to); i < sums.size(); ++i)
        to[i] = requantization(sums[i]);
}

BiasedRequantization::BiasedRequantization(const Requantization& first, Range32 sums,
                                           const Shift& shift, std::span<const std::int32_t> added,
                                           const Requantization& second)
    : m_first(first)
    , m_sums(sums)
    , m_shift(shift)
    , m_second(second)
{
    constexpr std::size_t longEnough = 512;
    if (added.empty())
        return;
    m_added.reserve(std::max(longEnough, added.size()));
    m_added.assign(added.begin(), added.end());
    m_added.resize(std::max<std::size_t>(longEnough / added.size(), 1) * added.size());
    repeat(m_added, added.size());
    const Range32 moved = rangeOfFew(shift.table);
    const Range32 biases = rangeOfFew(added);
    if (!isSmall(moved) || !isSmall(biases))
        return;
    const std::int32_t farthest = largestOf(moved) + largestOf(biases);
    if (!first.growsWithin(sums) || !second.growsWithin({-farthest, farthest}))
        return;
    m_vectors = shiftVectorsOf(shift);
    m_starts = startsOf(added, biases, shift, second);
    m_starts.positions.resize(m_added.size());
    repeat(m_starts.positions, added.size());
}

template <class From>
void BiasedRequantization::runRows(std::span<const From> from, std::uint8_t* to) const
{
    const BiasedRow row{m_first, m_sums, m_shift, m_starts, m_second, m_added, m_vectors};
    while (!from.empty() && !m_added.empty()) {
        const std::size_t count = std::min(from.size(), m_added.size());
        std::size_t i = biasedWide(from.first(count), row, to);
        if (i == 0)
            i = biasedVectors(from.first(count), row, to);
        for (; i < count; ++i)
            to[i] = m_second(std::int32_t(std::uint32_t(m_shift.table[firstCode(from[i])]) +
                                          std::uint32_t(m_added[i])));
        from = from.subspan(count);
        to += count;
    }
}

void BiasedRequantization::run(std::span<const std::int32_t> sums, std::uint8_t* to) const
{
    runRows(sums, to);
}

void BiasedRequantization::run(std::span<const std::uint8_t> codes, std::uint8_t* to) const
{
    runRows(codes, to);
}

Range32 PairSum::all() const
{
    constexpr std::int32_t highest = 255;
    const std::int32_t a = aStep * highest;
    const std::int32_t b = bStep * highest;
    return {start + std::min(a, 0) + std::min(b, 0), start + std::max(a, 0) + std::max(b, 0)};
}

Range32 rangeOfPairs(const CodePairs& pairs, const PairSum& sum)
{
    Range32 range{std::numeric_limits<std::int32_t>::max(),
                  std::numeric_limits<std::int32_t>::lowest()};
    for (std::size_t i = rangeVectors(pairs, sum, range); i < pairs.size(); ++i) {
        const std::int32_t one = sum(pairs.a[i], pairs.b[i]);
        range = {std::min(range.least, one), std::max(range.most, one)};
    }
    return range;
}

void requantizePairs(const CodePairs& pairs, const PairSum& sum,
                     const Requantization& requantization, std::uint8_t* to)
{
    std::size_t i = pairsWide(pairs, sum, requantization, to);
    if (i == 0)
        i = pairVectors(pairs, sum, requantization, to);
    for (; i < pairs.size(); ++i)
        to[i] = requantization(sum(pairs.a[i], pairs.b[i]));
}

void include(std::span<const float> x, RealRange& range)
{
    for (std::size_t i = includeVectors(x, range); i < x.size(); ++i) {
        range.least = x[i] < range.least ? x[i] : range.least;
        range.most = range.most < x[i] ? x[i] : range.most;
    }
}

void quantize(std::span<const float> x, float scale, float offset, std::uint8_t* to)
{
    std::size_t i = quantizeWide(x, scale, offset, to);
    if (i == 0)
        i = quantizeVectors(x, scale, offset, to);
    for (; i < x.size(); ++i)
        to[i] = quantized(x[i], scale, offset);
}

void dequantize(std::span<const std::uint8_t> codes, float bias, float step, float* to)
{
    for (std::size_t i = dequantizeVectors(codes, bias, step, to); i < codes.size(); ++i)
        to[i] = bias + float(codes[i]) * step;
}

} // namespace lapidary::int8
