// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/eights.h"
#include "runner/int8/requantization_vectors.h"

#include <algorithm>

#if defined(__x86_64__)

namespace lapidary::int8 {
namespace {

// Packs four times eight numbers into bytes, saturating.
LAPIDARY_AVX2 inline void store(std::uint8_t* to, const __m256* numbers)
{
    const __m256i first =
        _mm256_packs_epi32(_mm256_cvttps_epi32(numbers[0]), _mm256_cvttps_epi32(numbers[1]));
    const __m256i second =
        _mm256_packs_epi32(_mm256_cvttps_epi32(numbers[2]), _mm256_cvttps_epi32(numbers[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        inOrder(_mm256_packus_epi16(first, second)));
}

LAPIDARY_AVX2 std::size_t includeBlocks(std::span<const float> x, RealRange& range)
{
    __m256 least[4];
    __m256 most[4];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
        least[k] = _mm256_set1_ps(range.least);
        most[k] = _mm256_set1_ps(range.most);
    }
    std::size_t i = 0;
    for (; i + block <= x.size(); i += block) {
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k) {
            // max() returns its second operand if the first one is NaN.
            const __m256 eight = _mm256_loadu_ps(x.data() + i + k * 8);
            least[k] = _mm256_min_ps(eight, least[k]);
            most[k] = _mm256_max_ps(eight, most[k]);
        }
    }
    alignas(32) float lows[block];
    alignas(32) float highs[block];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
        _mm256_store_ps(lows + k * 8, least[k]);
        _mm256_store_ps(highs + k * 8, most[k]);
    }
    range = {*std::ranges::min_element(lows), *std::ranges::max_element(highs)};
    return i;
}

LAPIDARY_AVX2 std::size_t quantizeBlocks(std::span<const float> x, float scale, float offset,
                                         std::uint8_t* to)
{
    std::size_t i = 0;
    for (; i + block <= x.size(); i += block) {
        __m256 codes[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const __m256 position =
                _mm256_mul_ps(_mm256_loadu_ps(x.data() + i + k * 8), _mm256_set1_ps(scale));
            const __m256 whole = rounded<Halves::Away>(position);
            const __m256 code = _mm256_sub_ps(whole, _mm256_set1_ps(offset));
            // max() returns its second operand for NaN, which stays NaN and becomes the lowest
            // number.
            codes[k] =
                _mm256_min_ps(_mm256_set1_ps(255.0F), _mm256_max_ps(_mm256_setzero_ps(), code));
        }
        store(to + i, codes);
    }
    return i;
}

LAPIDARY_AVX2 std::size_t dequantizeBlocks(std::span<const std::uint8_t> codes, float bias,
                                           float step, float* to)
{
    std::size_t i = 0;
    for (; i + block <= codes.size(); i += block)
        for (std::size_t k = i; k < i + block; k += 8) {
            const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&codes[k]));
            const __m256 numbers = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight));
            const __m256 real =
                _mm256_add_ps(_mm256_set1_ps(bias), _mm256_mul_ps(numbers, _mm256_set1_ps(step)));
            _mm256_storeu_ps(to + k, real);
        }
    return i;
}

} // namespace

std::size_t includeVectors(std::span<const float> x, RealRange& range)
{
    return hasVectors() && x.size() >= block ? includeBlocks(x, range) : 0;
}

std::size_t quantizeVectors(std::span<const float> x, float scale, float offset, std::uint8_t* to)
{
    return hasVectors() ? quantizeBlocks(x, scale, offset, to) : 0;
}

std::size_t dequantizeVectors(std::span<const std::uint8_t> codes, float bias, float step,
                              float* to)
{
    return hasVectors() ? dequantizeBlocks(codes, bias, step, to) : 0;
}

} // namespace lapidary::int8

#else

namespace lapidary::int8 {

std::size_t includeVectors(std::span<const float> /*x*/, RealRange& /*range*/)
{
    return 0;
}
std::size_t quantizeVectors(std::span<const float> /*x*/, float /*scale*/, float /*offset*/,
                            std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t dequantizeVectors(std::span<const std::uint8_t> /*codes*/, float /*bias*/,
                              float /*step*/, float* /*to*/)
{
    return 0;
}

} // namespace lapidary::int8

#endif
