// SPDX-License-Identifier: Apache-2.0
// Tiles of 14 x 32 sums in 28 registers: vpdpbusd adds four products of an unsigned and a signed
// byte to each of 16 sums without saturating.
#include "runner/int8/intrinsics.h"
#include "runner/int8/own/tile.h"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#define LAPIDARY_VNNI [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,prfchw")]]

namespace lapidary::int8 {
namespace {

constexpr int mostRows = 14;

LAPIDARY_VNNI inline __m512i broadcast(const std::byte* codes)
{
    std::int32_t four = 0;
    std::memcpy(&four, codes, sizeof four);
    return _mm512_set1_epi32(four);
}

LAPIDARY_VNNI inline void storePart(std::int64_t columns, std::int32_t* out, __m512i a, __m512i b)
{
    const std::uint32_t lanes = (1U << columns) - 1U;
    _mm512_mask_storeu_epi32(out, __mmask16(lanes & 0xFFFFU), a);
    if (columns > 16)
        _mm512_mask_storeu_epi32(out + 16, __mmask16(lanes >> 16U), b);
}

// Prefetches the destination of a row while its sums are computed.
LAPIDARY_VNNI inline void ask(const std::int32_t* out)
{
    __builtin_prefetch(out, 1);
    __builtin_prefetch(out + 16, 1);
}

// Stores a panel's sums, row after row: all columns, or only the first ones.
template <bool all>
class PanelEnd {
public:
    LAPIDARY_VNNI explicit PanelEnd(const TileTask& task)
        : m_task(task)
        , m_least0(_mm512_load_si512(task.least))
        , m_least1(_mm512_load_si512(task.least + 16))
        , m_most0(_mm512_load_si512(task.most))
        , m_most1(_mm512_load_si512(task.most + 16))
    {
    }
    LAPIDARY_VNNI inline void finish(int r, __m512i sums0, __m512i sums1)
    {
        const __m512i row = _mm512_set1_epi32(m_task.rowTerms[r]);
        const __m512i columns0 = _mm512_loadu_si512(m_task.columnTerms);
        const __m512i columns1 = _mm512_loadu_si512(m_task.columnTerms + 16);
        const __m512i a = _mm512_add_epi32(_mm512_add_epi32(sums0, columns0), row);
        const __m512i b = _mm512_add_epi32(_mm512_add_epi32(sums1, columns1), row);
        std::int32_t* out = m_task.out + r * m_task.outStep;
        if constexpr (all) {
            _mm512_storeu_si512(out, a);
            _mm512_storeu_si512(out + 16, b);
        } else {
            storePart(m_task.columns, out, a, b);
        }
        m_least0 = _mm512_min_epi32(m_least0, a);
        m_least1 = _mm512_min_epi32(m_least1, b);
        m_most0 = _mm512_max_epi32(m_most0, a);
        m_most1 = _mm512_max_epi32(m_most1, b);
    }
    LAPIDARY_VNNI void store() const
    {
        _mm512_store_si512(m_task.least, m_least0);
        _mm512_store_si512(m_task.least + 16, m_least1);
        _mm512_store_si512(m_task.most, m_most0);
        _mm512_store_si512(m_task.most + 16, m_most1);
    }

private:
    const TileTask& m_task;
    __m512i m_least0;
    __m512i m_least1;
    __m512i m_most0;
    __m512i m_most1;
};

// The sums are in memory.
LAPIDARY_VNNI [[gnu::noinline]] void finishPart(const TileTask& task, int rows,
                                                const std::int32_t* sums)
{
    PanelEnd<false> end(task);
    for (int r = 0; r < rows; ++r, sums += 32)
        end.finish(r, _mm512_load_si512(sums), _mm512_load_si512(sums + 16));
    end.store();
}

// Finishes sixteen columns, from `first` on, of rows whose sums become floats.
template <bool all, bool adds>
class RealColumns {
public:
    LAPIDARY_VNNI RealColumns(const TileTask& task, int first)
        : m_task(task)
        , m_first(first)
        , m_lanes(__mmask16((1U << std::clamp<std::int64_t>(task.columns - first, 0, 16)) - 1U))
        , m_terms(_mm512_loadu_si512(task.columnTerms + first))
        , m_factors(_mm512_loadu_ps(task.end->factors + first))
        , m_offsets(_mm512_loadu_ps(task.end->offsets + first))
        , m_highs(_mm512_loadu_ps(task.end->highs + first))
        , m_least(_mm512_load_ps(task.end->least + first))
        , m_most(_mm512_load_ps(task.end->most + first))
    {
    }
    // max() and min() return their second operand if one is NaN.
    LAPIDARY_VNNI inline void finish(int r, const std::int32_t* sums)
    {
        const TileEnd& end = *m_task.end;
        const __m512i sum =
            _mm512_add_epi32(_mm512_add_epi32(_mm512_load_si512(sums + m_first), m_terms),
                             _mm512_set1_epi32(m_task.rowTerms[r]));
        const __m512 x =
            _mm512_add_ps(_mm512_set1_ps(end.bias),
                          _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(end.step)));
        __m512 y = _mm512_add_ps(_mm512_mul_ps(x, m_factors), m_offsets);
        const std::int64_t at = r * m_task.outStep + m_first;
        if constexpr (adds)
            y = _mm512_add_ps(y, all ? _mm512_loadu_ps(end.other + at)
                                     : _mm512_maskz_loadu_ps(m_lanes, end.other + at));
        y = _mm512_min_ps(m_highs, _mm512_max_ps(_mm512_set1_ps(end.low), y));
        if constexpr (all)
            _mm512_storeu_ps(m_task.out + at, y);
        else
            _mm512_mask_storeu_ps(m_task.out + at, m_lanes, y);
        m_least = _mm512_min_ps(y, m_least);
        m_most = _mm512_max_ps(y, m_most);
    }
    LAPIDARY_VNNI void store() const
    {
        _mm512_store_ps(m_task.end->least + m_first, m_least);
        _mm512_store_ps(m_task.end->most + m_first, m_most);
    }

private:
    const TileTask& m_task;
    int m_first;
    __mmask16 m_lanes;
    __m512i m_terms;
    __m512 m_factors;
    __m512 m_offsets;
    __m512 m_highs;
    __m512 m_least;
    __m512 m_most;
};

template <bool all, bool adds>
LAPIDARY_VNNI void finishColumns(const TileTask& task, int rows, const std::int32_t* sums)
{
    RealColumns<all, adds> a(task, 0);
    RealColumns<all, adds> b(task, 16);
    for (int r = 0; r < rows; ++r, sums += 32) {
        a.finish(r, sums);
        b.finish(r, sums);
    }
    a.store();
    b.store();
}

// The sums are in memory, which costs little compared with computing them.
LAPIDARY_VNNI [[gnu::noinline]] void finishReals(const TileTask& task, int rows,
                                                 const std::int32_t* sums)
{
    const bool adds = task.end->other != nullptr;
    if (task.columns < 32)
        (adds ? finishColumns<false, true> : finishColumns<false, false>)(task, rows, sums);
    else
        (adds ? finishColumns<true, true> : finishColumns<true, false>)(task, rows, sums);
}

// The sums are separate variables, because a compiler keeps an array of them in memory.
#define LAPIDARY_ROWS(use)                                                                         \
    use(0, from0) use(1, from0 + step) use(2, from0 + 2 * step) use(3, from1) use(4, from1 + step) \
        use(5, from1 + 2 * step) use(6, from2) use(7, from2 + step) use(8, from2 + 2 * step)       \
            use(9, from3) use(10, from3 + step) use(11, from3 + 2 * step) use(12, from4)           \
                use(13, from4 + step)
#define LAPIDARY_ZERO(r, from) __m512i sums##r##a = _mm512_setzero_si512(), sums##r##b = sums##r##a;
#define LAPIDARY_ADD(r, from)                                                                      \
    if constexpr (rows > (r)) {                                                                    \
        const __m512i codes = broadcast(from);                                                     \
        sums##r##a = _mm512_dpbusd_epi32(sums##r##a, codes, b0);                                   \
        sums##r##b = _mm512_dpbusd_epi32(sums##r##b, codes, b1);                                   \
    }
#define LAPIDARY_STORE(r, from)                                                                    \
    if constexpr (rows > (r)) {                                                                    \
        _mm512_store_si512(block + (r)*32, sums##r##a);                                            \
        _mm512_store_si512(block + (r)*32 + 16, sums##r##b);                                       \
    }

#define LAPIDARY_FINISH(r, from)                                                                   \
    if constexpr (rows > (r))                                                                      \
        end.finish((r), sums##r##a, sums##r##b);

// Three rows share a pointer, so that the addresses stay in registers.
template <int rows>
LAPIDARY_VNNI void tile(const TileTask& task)
{
    const std::int64_t step = task.aStep;
    const std::byte* from0 = task.a;
    const std::byte* from1 = from0 + 3 * step;
    const std::byte* from2 = from1 + 3 * step;
    const std::byte* from3 = from2 + 3 * step;
    const std::byte* from4 = from3 + 3 * step;
    const std::byte* b = task.b;
    for (int r = 0; r < rows; ++r)
        ask(task.out + r * task.outStep);
    LAPIDARY_ROWS(LAPIDARY_ZERO)
    for (std::int64_t g = 0; g < task.groups; ++g) {
        const __m512i b0 = _mm512_loadu_si512(b);
        const __m512i b1 = _mm512_loadu_si512(b + 64);
        LAPIDARY_ROWS(LAPIDARY_ADD)
        b += 128;
        from0 += 4;
        from1 += 4;
        from2 += 4;
        from3 += 4;
        from4 += 4;
    }
    if (task.columns < 32 || task.end != nullptr) {
        alignas(64) std::int32_t block[rows * 32];
        LAPIDARY_ROWS(LAPIDARY_STORE)
        return (task.end != nullptr ? finishReals : finishPart)(task, rows, block);
    }
    // Each row leaves two registers for the other operands.
    PanelEnd<true> end(task);
    LAPIDARY_ROWS(LAPIDARY_FINISH)
    end.store();
}

LAPIDARY_VNNI inline std::uint32_t sumOf(const std::uint8_t* codes, std::int64_t count)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i sums = zero;
    std::int64_t i = 0;
    for (; i + 64 <= count; i += 64)
        sums = _mm512_add_epi64(sums, _mm512_sad_epu8(_mm512_loadu_si512(codes + i), zero));
    if (i < count) {
        const __mmask64 rest = ~std::uint64_t(0) >> (64 - (count - i));
        sums =
            _mm512_add_epi64(sums, _mm512_sad_epu8(_mm512_maskz_loadu_epi8(rest, codes + i), zero));
    }
    const __m256i four =
        _mm256_add_epi64(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
    const __m128i two =
        _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return std::uint32_t(_mm_cvtsi128_si32(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))));
}

LAPIDARY_VNNI void sums(const RowSums& task)
{
    for (std::int64_t r = 0; r < task.rows; ++r)
        task.terms[r] = std::int32_t(std::uint32_t(task.factor) *
                                     sumOf(task.codes + r * task.step, task.count));
}

template <std::size_t... rows>
constexpr std::array<TileFunction, sizeof...(rows)> allTiles(std::index_sequence<rows...> /*all*/)
{
    return {tile<int(rows) + 1>...};
}
constexpr auto byRows = allTiles(std::make_index_sequence<mostRows>());
constexpr Tiles tiles{
    .byRows = byRows, .columns = 32, .group = 4, .block = 4, .filterShift = 128, .sums = sums};

} // namespace

const Tiles* vnniTiles()
{
    return &tiles;
}

} // namespace lapidary::int8

#else

const lapidary::int8::Tiles* lapidary::int8::vnniTiles()
{
    return nullptr;
}

#endif
