// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/channel_end.h"

#include "runner/int8/eights.h"
#include "runner/int8/requantization_vectors.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lapidary::int8 {
namespace {

void includeOne(float y, RealRange& range)
{
    range.least = y < range.least ? y : range.least;
    range.most = range.most < y ? y : range.most;
}

// Returns one number of channel `c`, made from the number stored at `at`.
float ended(const ChannelEnd& end, std::size_t c, const float* at, const float* other)
{
    float x = 0;
    std::memcpy(&x, at, sizeof x);
    if (end.isOfSums) {
        std::int32_t sum = 0;
        std::memcpy(&sum, at, sizeof sum);
        x = end.bias + float(sum) * end.step;
    }
    float y = x * end.factors[c] + end.offsets[c];
    if (other != nullptr)
        y += *other;
    const float above = y < end.low ? end.low : y;
    return end.highs[c] < above ? end.highs[c] : above;
}

// Applies the end to the channels of a row from `first` on.
void endRest(const ChannelEnd& end, std::size_t first, float* row, const float* other,
             RealRange& range)
{
    for (std::size_t c = first; c < end.factors.size(); ++c) {
        const float y = ended(end, c, row + c, other == nullptr ? nullptr : other + c);
        std::memcpy(row + c, &y, sizeof y);
        includeOne(y, range);
    }
}

#if defined(__x86_64__)

constexpr std::size_t atOnce = 8;

template <bool ofSums>
LAPIDARY_AVX2 inline __m256 numbersAt(const ChannelEnd& end, const float* at)
{
    if constexpr (!ofSums)
        return _mm256_loadu_ps(at);
    const __m256i sums = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return _mm256_add_ps(_mm256_set1_ps(end.bias),
                         _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_set1_ps(end.step)));
}

// max() and min() return their second operand if one is NaN.
template <bool adds>
LAPIDARY_AVX2 inline __m256 endEight(const ChannelEnd& end, std::size_t c, __m256 x,
                                     const float* other)
{
    __m256 y = _mm256_add_ps(_mm256_mul_ps(x, _mm256_loadu_ps(&end.factors[c])),
                             _mm256_loadu_ps(&end.offsets[c]));
    if constexpr (adds)
        y = _mm256_add_ps(y, _mm256_loadu_ps(other + c));
    const __m256 above = _mm256_max_ps(_mm256_set1_ps(end.low), y);
    return _mm256_min_ps(_mm256_loadu_ps(&end.highs[c]), above);
}

struct Eights {
    LAPIDARY_AVX2 explicit Eights(const RealRange& range)
        : least(_mm256_set1_ps(range.least))
        , most(_mm256_set1_ps(range.most))
    {
    }
    LAPIDARY_AVX2 inline void include(__m256 y)
    {
        least = _mm256_min_ps(y, least);
        most = _mm256_max_ps(y, most);
    }
    LAPIDARY_AVX2 void addTo(RealRange& range) const
    {
        alignas(32) float lows[atOnce];
        alignas(32) float highs[atOnce];
        _mm256_store_ps(lows, least);
        _mm256_store_ps(highs, most);
        for (std::size_t k = 0; k < atOnce; ++k) {
            range.least = std::min(range.least, lows[k]);
            range.most = std::max(range.most, highs[k]);
        }
    }

    __m256 least;
    __m256 most;
};

template <bool ofSums, bool adds>
LAPIDARY_AVX2 void endRows(const ChannelEnd& end, float* rows, std::int64_t count,
                           const float* other, RealRange& range)
{
    const std::size_t channels = end.factors.size();
    const std::size_t whole = channels / atOnce * atOnce;
    Eights first(range);
    Eights second(range);
    for (float* row = rows; row < rows + count * std::int64_t(channels); row += channels) {
        const float* const added = adds ? other + (row - rows) : nullptr;
        std::size_t c = 0;
        for (; c + 2 * atOnce <= whole; c += 2 * atOnce) {
            const __m256 y = endEight<adds>(end, c, numbersAt<ofSums>(end, row + c), added);
            const __m256 z =
                endEight<adds>(end, c + atOnce, numbersAt<ofSums>(end, row + c + atOnce), added);
            _mm256_storeu_ps(row + c, y);
            _mm256_storeu_ps(row + c + atOnce, z);
            first.include(y);
            second.include(z);
        }
        if (c < whole) {
            const __m256 y = endEight<adds>(end, c, numbersAt<ofSums>(end, row + c), added);
            _mm256_storeu_ps(row + c, y);
            first.include(y);
        }
        endRest(end, whole, row, added, range);
    }
    first.addTo(range);
    second.addTo(range);
}

bool endVectors(const ChannelEnd& end, float* rows, std::int64_t count, const float* other,
                RealRange& range)
{
    if (!hasVectors())
        return false;
    if (other != nullptr)
        (end.isOfSums ? endRows<true, true> : endRows<false, true>)(end, rows, count, other, range);
    else
        (end.isOfSums ? endRows<true, false> : endRows<false, false>)(end, rows, count, other,
                                                                      range);
    return true;
}

#else

bool endVectors(const ChannelEnd& /*end*/, float* /*rows*/, std::int64_t /*count*/,
                const float* /*other*/, RealRange& /*range*/)
{
    return false;
}

#endif

} // namespace

// Adding -0 changes nothing, not even the sign of 0.
ChannelEnd::ChannelEnd(std::int64_t channels)
    : factors(std::size_t(channels), 1.0F)
    , offsets(std::size_t(channels), -0.0F)
    , highs(std::size_t(channels), std::numeric_limits<float>::infinity())
{
}

void ChannelEnd::run(float* rows, std::int64_t count, const float* other, RealRange& range) const
{
    if (endVectors(*this, rows, count, other, range))
        return;
    const auto channels = std::int64_t(factors.size());
    for (std::int64_t r = 0; r < count; ++r)
        endRest(*this, 0, rows + r * channels, other == nullptr ? nullptr : other + r * channels,
                range);
}

Ending::Ending(ChannelEnd end, const float* other)
    : m_end(std::move(end))
    , m_other(other)
{
}

void Ending::run(float* rows, std::int64_t count, std::int64_t first)
{
    RealRange part = noReals;
    const auto channels = std::int64_t(m_end.factors.size());
    m_end.run(rows, count, m_other == nullptr ? nullptr : m_other + first * channels, part);
    include(part);
}

void Ending::include(const RealRange& part)
{
    const std::lock_guard lock(m_guard);
    m_range = {std::min(m_range.least, part.least), std::max(m_range.most, part.most)};
}

} // namespace lapidary::int8
