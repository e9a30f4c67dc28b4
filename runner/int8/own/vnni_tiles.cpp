// Tiles of 14 x 32 sums in 28 registers: vpdpbusd adds four products of an unsigned and a signed
// byte to each of 16 sums without saturating.
#include "runner/int8/own/tile.h"

#if defined(__x86_64__)

#include <array>
#include <cstring>
#include <utility>

// GCC 12 takes the operands that its own header leaves undefined on purpose for mistakes.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

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

LAPIDARY_VNNI inline void store(const TileTask& task, std::int64_t row, __m512i a, __m512i b)
{
    std::int32_t* out = task.out + row * task.outStep;
    if (task.columns >= 32) {
        _mm512_storeu_si512(out, a);
        _mm512_storeu_si512(out + 16, b);
        return;
    }
    const std::uint32_t lanes = (1U << task.columns) - 1U;
    _mm512_mask_storeu_epi32(out, __mmask16(lanes & 0xFFFFU), a);
    if (task.columns > 16)
        _mm512_mask_storeu_epi32(out + 16, __mmask16(lanes >> 16U), b);
}

// The place of a row's sums comes nearer while they are computed.
LAPIDARY_VNNI inline void ask(const std::int32_t* out)
{
    __builtin_prefetch(out, 1);
    __builtin_prefetch(out + 16, 1);
}

// By way of memory and out of line: with all that is needed here there are too few registers for
// the sums.
LAPIDARY_VNNI [[gnu::noinline]] void finish(const TileTask& task, int rows,
                                            const std::int32_t* sums)
{
    const __m512i columns0 = _mm512_loadu_si512(task.columnTerms);
    const __m512i columns1 = _mm512_loadu_si512(task.columnTerms + 16);
    __m512i least0 = _mm512_load_si512(task.least);
    __m512i least1 = _mm512_load_si512(task.least + 16);
    __m512i most0 = _mm512_load_si512(task.most);
    __m512i most1 = _mm512_load_si512(task.most + 16);
    for (int r = 0; r < rows; ++r, sums += 32) {
        const __m512i row = _mm512_set1_epi32(task.rowTerms[r]);
        const __m512i a =
            _mm512_add_epi32(_mm512_add_epi32(_mm512_load_si512(sums), columns0), row);
        const __m512i b =
            _mm512_add_epi32(_mm512_add_epi32(_mm512_load_si512(sums + 16), columns1), row);
        store(task, r, a, b);
        least0 = _mm512_min_epi32(least0, a);
        least1 = _mm512_min_epi32(least1, b);
        most0 = _mm512_max_epi32(most0, a);
        most1 = _mm512_max_epi32(most1, b);
    }
    _mm512_store_si512(task.least, least0);
    _mm512_store_si512(task.least + 16, least1);
    _mm512_store_si512(task.most, most0);
    _mm512_store_si512(task.most + 16, most1);
}

// The sums have names: a compiler keeps an array of them in memory.
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

// Three rows to a pointer, so that the addresses stay in registers.
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
    alignas(64) std::int32_t block[rows * 32];
    LAPIDARY_ROWS(LAPIDARY_STORE)
    finish(task, rows, block);
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
constexpr Tiles tiles{.byRows = byRows,
                      .columns = 32,
                      .group = 4,
                      .codeBytes = 1,
                      .filterShift = 128,
                      .sums = sums,
                      .widen = nullptr};

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
