// SPDX-License-Identifier: Apache-2.0
// Tiles of 6 x 16 sums in 12 registers: vpmaddwd adds two products of 16-bit numbers, which 8-bit
// values cannot make overflow.
#include "runner/int8/own/tile.h"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <immintrin.h>

#define LAPIDARY_AVX2 [[gnu::target("avx2")]]

namespace lapidary::int8 {
namespace {

constexpr int mostRows = 6;

LAPIDARY_AVX2 inline __m256i broadcast(const std::byte* codes)
{
    std::int32_t two = 0;
    std::memcpy(&two, codes, sizeof two);
    return _mm256_set1_epi32(two);
}

LAPIDARY_AVX2 inline __m256i load(const void* from)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

LAPIDARY_AVX2 void storePart(std::int32_t* out, __m256i sums, std::int64_t count)
{
    alignas(32) std::int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sums);
    std::copy_n(lanes, count, out);
}

// Stores the first `count` of eight sums of a row.
LAPIDARY_AVX2 inline void storeEight(std::int32_t* out, __m256i sums, std::int64_t count)
{
    if (count >= 8)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), sums);
    else if (count > 0)
        storePart(out, sums, count);
}

// The sums are in memory, because the other operands leave too few registers for them.
LAPIDARY_AVX2 void finish(const TileTask& task, int rows, const std::int32_t* sums)
{
    const __m256i columns0 = load(task.columnTerms);
    const __m256i columns1 = load(task.columnTerms + 8);
    auto* least = reinterpret_cast<__m256i*>(task.least);
    auto* most = reinterpret_cast<__m256i*>(task.most);
    __m256i least0 = load(least);
    __m256i least1 = load(least + 1);
    __m256i most0 = load(most);
    __m256i most1 = load(most + 1);
    for (int r = 0; r < rows; ++r, sums += 16) {
        const __m256i row = _mm256_set1_epi32(task.rowTerms[r]);
        const __m256i a = _mm256_add_epi32(_mm256_add_epi32(load(sums), columns0), row);
        const __m256i b = _mm256_add_epi32(_mm256_add_epi32(load(sums + 8), columns1), row);
        std::int32_t* out = task.out + r * task.outStep;
        storeEight(out, a, task.columns);
        storeEight(out + 8, b, task.columns - 8);
        least0 = _mm256_min_epi32(least0, a);
        least1 = _mm256_min_epi32(least1, b);
        most0 = _mm256_max_epi32(most0, a);
        most1 = _mm256_max_epi32(most1, b);
    }
    _mm256_store_si256(least, least0);
    _mm256_store_si256(least + 1, least1);
    _mm256_store_si256(most, most0);
    _mm256_store_si256(most + 1, most1);
}

// Loads the first `count` of eight numbers.
LAPIDARY_AVX2 inline __m256 loadEight(const float* from, std::int64_t count)
{
    if (count >= 8)
        return _mm256_loadu_ps(from);
    alignas(32) float lanes[8] = {};
    std::copy_n(from, std::max<std::int64_t>(count, 0), lanes);
    return _mm256_load_ps(lanes);
}

// Finishes eight columns, from `first` on, of rows whose sums become floats. max() and min() return
// their second operand if one is NaN.
LAPIDARY_AVX2 void finishReals(const TileTask& task, int rows, const std::int32_t* sums,
                               std::int64_t first)
{
    const TileEnd& end = *task.end;
    const __m256i terms = load(task.columnTerms + first);
    const __m256 factors = _mm256_loadu_ps(end.factors + first);
    const __m256 offsets = _mm256_loadu_ps(end.offsets + first);
    const __m256 highs = _mm256_loadu_ps(end.highs + first);
    __m256 least = _mm256_load_ps(end.least + first);
    __m256 most = _mm256_load_ps(end.most + first);
    for (int r = 0; r < rows; ++r, sums += 16) {
        const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(load(sums + first), terms),
                                             _mm256_set1_epi32(task.rowTerms[r]));
        const __m256 x =
            _mm256_add_ps(_mm256_set1_ps(end.bias),
                          _mm256_mul_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(end.step)));
        __m256 y = _mm256_add_ps(_mm256_mul_ps(x, factors), offsets);
        const std::int64_t at = r * task.outStep + first;
        if (end.other != nullptr)
            y = _mm256_add_ps(y, loadEight(end.other + at, task.columns - first));
        y = _mm256_min_ps(highs, _mm256_max_ps(_mm256_set1_ps(end.low), y));
        storeEight(task.out + at, _mm256_castps_si256(y), task.columns - first);
        least = _mm256_min_ps(y, least);
        most = _mm256_max_ps(y, most);
    }
    _mm256_store_ps(end.least + first, least);
    _mm256_store_ps(end.most + first, most);
}

template <int rows>
LAPIDARY_AVX2 void tile(const TileTask& task)
{
    constexpr int pointers = (rows + 2) / 3;
    const std::int64_t step = task.aStep;
    const std::byte* a[pointers];
    for (int p = 0; p < pointers; ++p)
        a[p] = task.a + std::int64_t(3) * p * step;
    const std::byte* b = task.b;
    __m256i sums[rows][2];
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r)
        sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    for (std::int64_t g = 0; g < task.groups; ++g) {
        const auto* codes = reinterpret_cast<const __m128i*>(b);
        const __m256i b0 = _mm256_cvtepu8_epi16(_mm_loadu_si128(codes));
        const __m256i b1 = _mm256_cvtepu8_epi16(_mm_loadu_si128(codes + 1));
        b += 32;
#pragma GCC unroll 6
        for (int r = 0; r < rows; ++r) {
            const __m256i two = broadcast(a[r / 3] + (r % 3) * step);
            sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(two, b0));
            sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(two, b1));
        }
#pragma GCC unroll 2
        for (int p = 0; p < pointers; ++p)
            a[p] += 4;
    }
    alignas(32) std::int32_t block[rows * 16];
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(block + r * 16), sums[r][0]);
        _mm256_store_si256(reinterpret_cast<__m256i*>(block + r * 16 + 8), sums[r][1]);
    }
    if (task.end == nullptr)
        return finish(task, rows, block);
    finishReals(task, rows, block, 0);
    finishReals(task, rows, block, 8);
}

LAPIDARY_AVX2 std::uint32_t sumOf(const std::uint8_t* codes, std::int64_t count)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i sums = zero;
    std::int64_t i = 0;
    for (; i + 32 <= count; i += 32)
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(load(codes + i), zero));
    alignas(32) std::int64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sums);
    std::int64_t all = lanes[0] + lanes[1] + lanes[2] + lanes[3];
    for (; i < count; ++i)
        all += codes[i];
    return std::uint32_t(all);
}

LAPIDARY_AVX2 std::uint32_t widen(const std::uint8_t* codes, std::int64_t count, std::uint16_t* to)
{
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m128i narrow = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_cvtepu8_epi16(narrow));
    }
    for (; i < count; ++i)
        to[i] = codes[i];
    return sumOf(codes, count);
}

template <std::size_t... rows>
constexpr std::array<TileFunction, sizeof...(rows)> allTiles(std::index_sequence<rows...> /*all*/)
{
    return {tile<int(rows) + 1>...};
}
constexpr auto byRows = allTiles(std::make_index_sequence<mostRows>());
constexpr Tiles tiles{.byRows = byRows,
                      .columns = 16,
                      .group = 2,
                      .codeBytes = 2,
                      .filterShift = 0,
                      .sums = nullptr,
                      .widen = widen};

} // namespace

const Tiles* avx2Tiles()
{
    return &tiles;
}

} // namespace lapidary::int8

#else

const lapidary::int8::Tiles* lapidary::int8::avx2Tiles()
{
    return nullptr;
}

#endif
