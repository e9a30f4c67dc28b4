// SPDX-License-Identifier: Apache-2.0
// Tiles of 6 x 16 sums in 12 registers. The blocks of the depth are multiplied in four ways, all of
// them exact; most codes of activations are small, so that the first two ways are the usual ones.
//   - vpmaddubsw adds two products u8 * s8 in 16 bits, and vpaddw adds several such sums. The sum
//     of the products is between -128 and 127 times the sum of their codes, so that 16 bits are
//     enough where the codes of each eight products add up to 256 at most: for blocks of 16 codes.
//   - The same for each four products, for blocks of 8 codes, and for each two.
//   - vpmaddwd adds two products of 16-bit numbers, which 8-bit values cannot make overflow.
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
constexpr std::int64_t blockCodes = 8; // two groups of four; a large block has twice as many
constexpr std::int16_t enough = 256;   // the sum of codes whose products fit into 16 bits

LAPIDARY_AVX2 inline __m256i broadcast(const std::byte* codes)
{
    std::int32_t four = 0;
    std::memcpy(&four, codes, sizeof four);
    return _mm256_set1_epi32(four);
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
class RealColumns {
public:
    LAPIDARY_AVX2 RealColumns(const TileTask& task, std::int64_t first)
        : m_task(task)
        , m_first(first)
        , m_count(task.columns - first)
        , m_terms(load(task.columnTerms + first))
        , m_factors(_mm256_loadu_ps(task.end->factors + first))
        , m_offsets(_mm256_loadu_ps(task.end->offsets + first))
        , m_highs(_mm256_loadu_ps(task.end->highs + first))
        , m_least(_mm256_load_ps(task.end->least + first))
        , m_most(_mm256_load_ps(task.end->most + first))
    {
    }
    template <bool all, bool adds>
    LAPIDARY_AVX2 inline void finish(int r, const std::int32_t* sums)
    {
        const TileEnd& end = *m_task.end;
        const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(load(sums + m_first), m_terms),
                                             _mm256_set1_epi32(m_task.rowTerms[r]));
        const __m256 x =
            _mm256_add_ps(_mm256_set1_ps(end.bias),
                          _mm256_mul_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(end.step)));
        __m256 y = _mm256_add_ps(_mm256_mul_ps(x, m_factors), m_offsets);
        const std::int64_t at = r * m_task.outStep + m_first;
        if constexpr (adds)
            y = _mm256_add_ps(y, loadEight(end.other + at, all ? 8 : m_count));
        y = _mm256_min_ps(m_highs, _mm256_max_ps(_mm256_set1_ps(end.low), y));
        storeEight(m_task.out + at, _mm256_castps_si256(y), all ? 8 : m_count);
        m_least = _mm256_min_ps(y, m_least);
        m_most = _mm256_max_ps(y, m_most);
    }
    LAPIDARY_AVX2 void store() const
    {
        _mm256_store_ps(m_task.end->least + m_first, m_least);
        _mm256_store_ps(m_task.end->most + m_first, m_most);
    }

private:
    const TileTask& m_task;
    std::int64_t m_first;
    std::int64_t m_count;
    __m256i m_terms;
    __m256 m_factors;
    __m256 m_offsets;
    __m256 m_highs;
    __m256 m_least;
    __m256 m_most;
};

template <bool all, bool adds>
LAPIDARY_AVX2 void finishColumns(const TileTask& task, int rows, const std::int32_t* sums)
{
    RealColumns a(task, 0);
    RealColumns b(task, 8);
    for (int r = 0; r < rows; ++r, sums += 16) {
        a.finish<all, adds>(r, sums);
        b.finish<all, adds>(r, sums);
    }
    a.store();
    b.store();
}

LAPIDARY_AVX2 void finishReals(const TileTask& task, int rows, const std::int32_t* sums)
{
    const bool adds = task.end->other != nullptr;
    if (task.columns < 16)
        (adds ? finishColumns<false, true> : finishColumns<false, false>)(task, rows, sums);
    else
        (adds ? finishColumns<true, true> : finishColumns<true, false>)(task, rows, sums);
}

template <int rows>
using Sums = __m256i[rows][2];

// The rows and columns of a tile from a block on. Three rows share a pointer, so that the addresses
// stay in registers.
template <int rows>
struct Place {
    LAPIDARY_AVX2 inline Place(const TileTask& task, std::int32_t first)
        : step(task.aStep)
        , b(task.b + std::int64_t(first) * 16)
    {
        for (int p = 0; p < (rows + 2) / 3; ++p)
            a[p] = task.a + first + std::int64_t(3) * p * step;
    }
    LAPIDARY_AVX2 inline __m256i codes(int row, std::int64_t group) const
    {
        return broadcast(a[row / 3] + (row % 3) * step + group * 4);
    }
    LAPIDARY_AVX2 inline __m256i weights(std::int64_t group, std::int64_t half) const
    {
        return load(b + group * 64 + half * 32);
    }

    std::int64_t step;
    const std::byte* b;
    const std::byte* a[(rows + 2) / 3] = {};
};

// Adds products to sums at once: a compiler would first add products of several groups to each
// other, for which there are too few registers.
LAPIDARY_AVX2 inline void add(__m256i& sums, __m256i products)
{
    sums = _mm256_add_epi32(sums, products);
    asm("" : "+x"(sums));
}

LAPIDARY_AVX2 inline void addPairs(__m256i& sums, __m256i pairs)
{
    add(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

// Adds up the products of so many groups in 16 bits.
template <int groups, int rows>
LAPIDARY_AVX2 [[gnu::always_inline]] inline void addSmall(const Place<rows>& at, Sums<rows>& sums)
{
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
        __m256i pairs[2] = {};
#pragma GCC unroll 4
        for (int group = 0; group < groups; ++group) {
            const __m256i codes = at.codes(r, group);
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half)
                pairs[half] = _mm256_add_epi16(
                    pairs[half], _mm256_maddubs_epi16(codes, at.weights(group, half)));
        }
        addPairs(sums[r][0], pairs[0]);
        addPairs(sums[r][1], pairs[1]);
    }
}

// Return the bytes at even or at odd places as numbers of 16 bits.
template <bool odd>
LAPIDARY_AVX2 inline __m256i everySecond(__m256i codes)
{
    return odd ? _mm256_srli_epi16(codes, 8) : _mm256_and_si256(codes, _mm256_set1_epi16(255));
}
template <bool odd>
LAPIDARY_AVX2 inline __m256i everySecondSigned(__m256i weights)
{
    return _mm256_srai_epi16(odd ? weights : _mm256_slli_epi16(weights, 8), 8);
}

template <int rows, bool odd>
LAPIDARY_AVX2 [[gnu::always_inline]] inline void addSecond(const Place<rows>& at, int group,
                                                           Sums<rows>& sums)
{
    const __m256i weights0 = everySecondSigned<odd>(at.weights(group, 0));
    const __m256i weights1 = everySecondSigned<odd>(at.weights(group, 1));
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
        const __m256i codes = everySecond<odd>(at.codes(r, group));
        add(sums[r][0], _mm256_madd_epi16(codes, weights0));
        add(sums[r][1], _mm256_madd_epi16(codes, weights1));
    }
}

template <int rows>
LAPIDARY_AVX2 [[gnu::always_inline]] inline void addAny(const Place<rows>& at, Sums<rows>& sums)
{
#pragma GCC unroll 2
    for (int group = 0; group < 2; ++group) {
        addSecond<rows, false>(at, group, sums);
        addSecond<rows, true>(at, group, sums);
    }
}

template <int rows>
LAPIDARY_AVX2 void tile(const TileTask& task)
{
    for (int r = 0; r < rows; ++r)
        __builtin_prefetch(task.out + r * task.outStep, 1);
    Sums<rows> sums;
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r)
        sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    const auto blocksOf = [&](std::int64_t kind) {
        return std::span(task.order + blockKinds + kind * (task.groups * 4 / blockCodes),
                         std::size_t(task.order[kind]));
    };
    for (const std::int32_t first : blocksOf(0))
        addSmall<4>(Place<rows>(task, first), sums);
    for (const std::int32_t first : blocksOf(1))
        addSmall<2>(Place<rows>(task, first), sums);
    for (const std::int32_t first : blocksOf(2)) {
        addSmall<1>(Place<rows>(task, first), sums);
        addSmall<1>(Place<rows>(task, first + 4), sums);
    }
    for (const std::int32_t first : blocksOf(3))
        addAny(Place<rows>(task, first), sums);
    alignas(32) std::int32_t block[rows * 16];
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(block + r * 16), sums[r][0]);
        _mm256_store_si256(reinterpret_cast<__m256i*>(block + r * 16 + 8), sums[r][1]);
    }
    if (task.end == nullptr)
        return finish(task, rows, block);
    finishReals(task, rows, block);
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

LAPIDARY_AVX2 void sums(const RowSums& task)
{
    for (std::int64_t r = 0; r < task.rows; ++r)
        task.terms[r] = std::int32_t(std::uint32_t(task.factor) *
                                     sumOf(task.codes + r * task.step, task.count));
}

// The lists of an order, which grow.
struct Lists {
    std::int32_t* begins[blockKinds];
    std::int32_t* ends[blockKinds];

    // Adds a block to the list of its kind; without branches, because the kinds follow no rule.
    inline void addSmall(std::int64_t first, bool noFours, bool noTwos)
    {
        for (int kind = 1; kind < blockKinds; ++kind)
            *ends[kind] = std::int32_t(first);
        ends[1] += noFours ? 0 : 1;
        ends[2] += noFours && !noTwos ? 1 : 0;
        ends[3] += noTwos ? 1 : 0;
    }
    inline void addLarge(std::int64_t first) { *ends[0]++ = std::int32_t(first); }
};

// The largest sums of the codes of two, four and eight products in each block of a tile's rows.
struct LargestSums {
    __m256i twos;
    __m256i fours;
    __m256i eights;

    LAPIDARY_AVX2 inline void include(__m256i codes)
    {
        const __m256i two = _mm256_maddubs_epi16(codes, _mm256_set1_epi8(1));
        const __m256i four = _mm256_add_epi16(two, _mm256_shuffle_epi32(two, 0xB1));
        const __m256i eight = _mm256_add_epi16(four, _mm256_shuffle_epi32(four, 0x4E));
        twos = _mm256_max_epi16(twos, two);
        fours = _mm256_max_epi16(fours, four);
        eights = _mm256_max_epi16(eights, eight);
    }
};

// Returns the bytes where sums are more than 16 bits are enough for.
LAPIDARY_AVX2 inline std::uint32_t exceeding(__m256i sums)
{
    return std::uint32_t(_mm256_movemask_epi8(_mm256_cmpgt_epi16(sums, _mm256_set1_epi16(enough))));
}

// Sorts the four blocks from `first` on.
LAPIDARY_AVX2 inline void sortFour(const BlockSort& task, std::int64_t first, Lists& lists)
{
    const __m256i zero = _mm256_setzero_si256();
    LargestSums largest{zero, zero, zero};
    for (std::int64_t r = 0; r < task.rows; ++r)
        largest.include(load(task.codes + r * task.step + first));
    const std::uint32_t noEights = exceeding(largest.eights);
    const std::uint32_t noFours = exceeding(largest.fours);
    const std::uint32_t noTwos = exceeding(largest.twos);
    for (int half = 0; half < 32; half += 16, first += 2 * blockCodes) {
        if ((noEights >> half & 0xFFFF) == 0) {
            lists.addLarge(first);
            continue;
        }
        for (int i = 0; i < 16; i += 8)
            lists.addSmall(first + i, (noFours >> half >> i & 0xFF) != 0,
                           (noTwos >> half >> i & 0xFF) != 0);
    }
}

LAPIDARY_AVX2 inline void sortOne(const BlockSort& task, std::int64_t first, Lists& lists)
{
    const __m256i zero = _mm256_setzero_si256();
    LargestSums largest{zero, zero, zero};
    for (std::int64_t r = 0; r < task.rows; ++r) {
        const std::uint8_t* codes = task.codes + r * task.step + first;
        largest.include(
            _mm256_zextsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes))));
    }
    lists.addSmall(first, exceeding(largest.fours) != 0, exceeding(largest.twos) != 0);
}

LAPIDARY_AVX2 void sort(const BlockSort& task)
{
    Lists lists{};
    for (std::int64_t kind = 0; kind < blockKinds; ++kind)
        lists.begins[kind] = lists.ends[kind] =
            task.order + blockKinds + kind * (task.count / blockCodes);
    std::int64_t k = 0;
    for (; k + 4 * blockCodes <= task.count; k += 4 * blockCodes)
        sortFour(task, k, lists);
    for (; k < task.count; k += blockCodes)
        sortOne(task, k, lists);
    for (std::int64_t kind = 0; kind < blockKinds; ++kind)
        task.order[kind] = std::int32_t(lists.ends[kind] - lists.begins[kind]);
}

template <std::size_t... rows>
constexpr std::array<TileFunction, sizeof...(rows)> allTiles(std::index_sequence<rows...> /*all*/)
{
    return {tile<int(rows) + 1>...};
}
constexpr auto byRows = allTiles(std::make_index_sequence<mostRows>());
constexpr Tiles tiles{.byRows = byRows,
                      .columns = 16,
                      .group = 4,
                      .block = blockCodes,
                      .filterShift = 128,
                      .sums = sums,
                      .sort = sort};

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
