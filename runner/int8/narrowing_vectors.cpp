#include "runner/int8/narrowing_vectors.h"

#include "runner/onednn/instructions.h"

#if defined(__x86_64__)

// GCC 12 takes the operands that its own header leaves undefined on purpose for mistakes.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

#define LAPIDARY_AVX512 [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]]

namespace lapidary::int8 {
namespace {

struct Constants {
    __m512i scale;
    __m512i offset;
    __m512i low;
    __m512i high;
};

LAPIDARY_AVX512 inline Constants constantsOf(const Narrowing& n)
{
    return {_mm512_set1_epi64(n.scale), _mm512_set1_epi64(n.offset), _mm512_set1_epi64(n.low),
            _mm512_set1_epi64(n.high)};
}

// Eight sums as int64. The held codes lie within 0 and 255, so that one clamp does for both.
LAPIDARY_AVX512 inline __m128i narrowEight(__m512i sums, const Constants& c)
{
    const __m512i scaled = _mm512_srai_epi64(_mm512_mullo_epi64(sums, c.scale), 32);
    const __m512i code = _mm512_srai_epi64(_mm512_add_epi64(scaled, c.offset), 16);
    const __m512i held = _mm512_min_epi64(_mm512_max_epi64(code, c.low), c.high);
    return _mm512_cvtepi64_epi8(held);
}

LAPIDARY_AVX512 inline void store(std::uint8_t* to, __m128i first, __m128i second)
{
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi64(first, second));
}

LAPIDARY_AVX512 inline __m512i shifted(const std::uint8_t* codes, const Shift& s)
{
    const __m512i code =
        _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)));
    const __m512 real = _mm512_add_ps(
        _mm512_set1_ps(s.bias), _mm512_mul_ps(_mm512_cvtepi32_ps(code), _mm512_set1_ps(s.step)));
    const __m512 place = _mm512_mul_ps(real, _mm512_set1_ps(s.scale));
    // Halves go away from zero: half less one bit is added, with the sign, and the rest cut off.
    constexpr float almostHalf = 0.49999997F;
    const __m512 sign = _mm512_and_ps(place, _mm512_set1_ps(-0.0F));
    const __m512 half = _mm512_or_ps(_mm512_set1_ps(almostHalf), sign);
    const __m512 whole = _mm512_roundscale_ps(_mm512_add_ps(place, half), 0x0B);
    __m512 moved = _mm512_sub_ps(whole, _mm512_set1_ps(s.offset));
    moved = _mm512_max_ps(moved, _mm512_set1_ps(-2147483648.0F));
    moved = _mm512_min_ps(moved, _mm512_set1_ps(2147483520.0F));
    return _mm512_cvttps_epi32(moved);
}

} // namespace

bool hasNarrowingVectors()
{
    static const bool has = onednn::instructions().vnni512;
    return has;
}

LAPIDARY_AVX512 void narrowVectors(const std::int32_t* sums, std::size_t count,
                                   const Narrowing& narrowing, std::uint8_t* to)
{
    const Constants c = constantsOf(narrowing);
    for (std::size_t i = 0; i < count; i += 16) {
        const __m512 real = _mm512_cvtepi32_ps(_mm512_loadu_si512(sums + i));
        store(to + i, narrowEight(_mm512_cvttps_epi64(_mm512_castps512_ps256(real)), c),
              narrowEight(_mm512_cvttps_epi64(_mm512_extractf32x8_ps(real, 1)), c));
    }
}

LAPIDARY_AVX512 bool shiftVectorsGiveTable(const Shift& shift)
{
    std::uint8_t codes[16];
    for (std::size_t first = 0; first < shift.table.size(); first += 16) {
        for (std::size_t i = 0; i < 16; ++i)
            codes[i] = std::uint8_t(first + i);
        const __m512i wanted = _mm512_loadu_si512(shift.table.data() + first);
        if (_mm512_cmpneq_epi32_mask(shifted(codes, shift), wanted) != 0)
            return false;
    }
    return true;
}

LAPIDARY_AVX512 void shiftVectors(const std::uint8_t* codes, const std::int32_t* added,
                                  std::size_t count, const Shift& shift, const Narrowing& narrowing,
                                  std::uint8_t* to)
{
    const Constants c = constantsOf(narrowing);
    for (std::size_t i = 0; i < count; i += 16) {
        const __m512i sum =
            _mm512_add_epi32(shifted(codes + i, shift), _mm512_loadu_si512(added + i));
        const __m512 real = _mm512_cvtepi32_ps(sum);
        store(to + i, narrowEight(_mm512_cvttps_epi64(_mm512_castps512_ps256(real)), c),
              narrowEight(_mm512_cvttps_epi64(_mm512_extractf32x8_ps(real, 1)), c));
    }
}

} // namespace lapidary::int8

#else

namespace lapidary::int8 {

bool hasNarrowingVectors()
{
    return false;
}
void narrowVectors(const std::int32_t* /*sums*/, std::size_t /*count*/, const Narrowing& /*n*/,
                   std::uint8_t* /*to*/)
{
}
bool shiftVectorsGiveTable(const Shift& /*shift*/)
{
    return false;
}
void shiftVectors(const std::uint8_t* /*codes*/, const std::int32_t* /*added*/,
                  std::size_t /*count*/, const Shift& /*shift*/, const Narrowing& /*n*/,
                  std::uint8_t* /*to*/)
{
}

} // namespace lapidary::int8

#endif
