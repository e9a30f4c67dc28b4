// SPDX-License-Identifier: Apache-2.0
// The most expensive loops after a convolution, sixteen at a time: AVX-512 registers hold twice as
// much as those of AVX2. The check whether the processor has them is compiled without them, because
// a function compiled for AVX-512 may use it anywhere, even before the check.
#include "runner/int8/requantization_wide.h"

#include "runner/int8/float_requantization.h"
#include "runner/int8/intrinsics.h"
#include "runner/onednn/instructions.h"

#include <algorithm>

#if defined(__x86_64__)

#define LAPIDARY_WIDE [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,prfchw")]]

namespace lapidary::int8 {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t vectors = 4;
constexpr std::size_t block = lanes * vectors;

struct Positions {
    LAPIDARY_WIDE explicit Positions(const FloatRequantization& n)
        : slope(_mm512_set1_ps(n.slope))
        , low(_mm512_castps_si512(_mm512_set1_ps(n.low)))
        , high(_mm512_castps_si512(_mm512_set1_ps(n.high)))
    {
    }
    // Returns the integer part of a position, clamped. The comparison is of integers, and the bits
    // of negative positions are negative integers.
    LAPIDARY_WIDE __m512i of(__m512 sums, __m512 start) const
    {
        const __m512i position = _mm512_castps_si512(_mm512_fmadd_ps(sums, slope, start));
        return _mm512_min_epi32(_mm512_max_epi32(position, low), high);
    }
    // Does the same if no position is outside the range of results.
    LAPIDARY_WIDE __m512i within(__m512 sums, __m512 start) const
    {
        return _mm512_castps_si512(_mm512_fmadd_ps(sums, slope, start));
    }

    __m512 slope;
    __m512i low, high;
};

LAPIDARY_WIDE inline __m512i restOf(__m512i position)
{
    return _mm512_and_si512(position, _mm512_set1_epi32(restBits));
}

// Returns the mask of those that are closer to a border than `guard` allows.
LAPIDARY_WIDE inline __mmask16 closeOnes(__m512i rests, std::int32_t guard)
{
    return _mm512_cmplt_epi32_mask(rests, _mm512_set1_epi32(2 * guard));
}

// Returns the result at a position as a float.
LAPIDARY_WIDE inline __m512 wholeCode(__m512i position)
{
    const __m512i whole = _mm512_andnot_si512(_mm512_set1_epi32(restBits), position);
    return _mm512_sub_ps(_mm512_castsi512_ps(whole), _mm512_set1_ps(float(positionBase)));
}

// Returns the results at the positions of a block, 16 bytes after 16 bytes: four of each vector.
LAPIDARY_WIDE inline __m512i codesOf(const __m512i* positions)
{
    const __m512i code = _mm512_set1_epi16(255); // without the exponent
    const __m512i first = _mm512_packus_epi32(_mm512_srli_epi32(positions[0], codeShift),
                                              _mm512_srli_epi32(positions[1], codeShift));
    const __m512i second = _mm512_packus_epi32(_mm512_srli_epi32(positions[2], codeShift),
                                               _mm512_srli_epi32(positions[3], codeShift));
    return _mm512_packus_epi16(_mm512_and_si512(first, code), _mm512_and_si512(second, code));
}

LAPIDARY_WIDE inline __m512i inOrder(__m512i codes)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(order, codes);
}

template <bool toEven>
LAPIDARY_WIDE inline __m512 rounded(__m512 x)
{
    if constexpr (toEven)
        return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    // Adds half less one bit, with the sign, and truncates.
    const __m512 sign = _mm512_and_ps(x, _mm512_set1_ps(-0.0F));
    const __m512 half = _mm512_or_ps(_mm512_set1_ps(0.49999997F), sign);
    return _mm512_roundscale_ps(_mm512_add_ps(x, half), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

// The requantization of a BiasedRow.
template <bool toEven, bool within, class From>
struct Biased {
    LAPIDARY_WIDE Biased(const BiasedRow& r, const FloatRequantization& realFirst,
                         const FloatRequantization& realSecond)
        : row(r)
        , first(realFirst)
        , second(realSecond)
        , start(_mm512_set1_ps(realFirst.start))
        , guard(sizeof(From) == 1 ? realSecond.guard : std::max(realFirst.guard, realSecond.guard))
    {
    }

    LAPIDARY_WIDE __m512 load(const std::int32_t* sums, __m512i& rests) const
    {
        const __m512 eachSum = _mm512_cvtepi32_ps(_mm512_loadu_si512(sums));
        const __m512i position = within ? first.within(eachSum, start) : first.of(eachSum, start);
        rests = restOf(position);
        return wholeCode(position);
    }
    LAPIDARY_WIDE static __m512 load(const std::uint8_t* codes, __m512i& rests)
    {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes));
        rests = _mm512_set1_epi32(restBits);
        return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
    }
    LAPIDARY_WIDE __m512i positions(__m512 codes, std::size_t at) const
    {
        const __m512 real = _mm512_add_ps(_mm512_set1_ps(row.shift.bias),
                                          _mm512_mul_ps(codes, _mm512_set1_ps(row.shift.step)));
        const __m512 moved = rounded<toEven>(_mm512_mul_ps(real, _mm512_set1_ps(row.shift.scale)));
        return second.of(moved, _mm512_loadu_ps(row.starts.positions.data() + at));
    }
    // Computes results [at, at + block); returns whether all of them are certain.
    LAPIDARY_WIDE bool makeBlock(const From* from, std::size_t at, std::uint8_t* to) const
    {
        __m512 codes[vectors];
        __m512i rests[vectors];
        __m512i made[vectors];
        for (std::size_t k = 0; k < vectors; ++k)
            codes[k] = load(from + at + k * lanes, rests[k]);
        for (std::size_t k = 0; k < vectors; ++k)
            made[k] = positions(codes[k], at + k * lanes);
        _mm512_storeu_si512(to + at, inOrder(codesOf(made)));
        __m512i least = _mm512_set1_epi32(restBits);
        for (std::size_t k = 0; k < vectors; ++k)
            least = _mm512_min_epu32(least, _mm512_min_epu32(rests[k], restOf(made[k])));
        return closeOnes(least, guard) == 0;
    }
    // Computes the uncertain ones.
    LAPIDARY_WIDE void makeAgain(const From* from, std::size_t at, std::uint8_t* to) const
    {
        for (std::size_t k = at; k < at + block; k += lanes) {
            __m512i rests;
            const __m512i made = positions(load(from + k, rests), k);
            unsigned close = closeOnes(_mm512_min_epu32(rests, restOf(made)), guard);
            for (std::size_t i = k; close != 0; ++i, close >>= 1U)
                if ((close & 1U) != 0)
                    to[i] = row.second(row.shift.table[code(from[i])] + row.addedCodes[i]);
        }
    }
    std::uint8_t code(std::int32_t sum) const { return row.first(sum); }
    static std::uint8_t code(std::uint8_t code) { return code; }

    const BiasedRow& row;
    Positions first;
    Positions second;
    __m512 start;
    std::int32_t guard;
};

// The last block overlaps the one before it, so that no element is left.
template <bool toEven, bool within, class From>
LAPIDARY_WIDE void biasedBlocks(std::span<const From> from, const BiasedRow& row,
                                const FloatRequantization& first, const FloatRequantization& second,
                                std::uint8_t* to)
{
    const Biased<toEven, within, From> biased(row, first, second);
    for (std::size_t next = 0; next < from.size(); next += block) {
        const std::size_t at = std::min(next, from.size() - block);
        if (!biased.makeBlock(from.data(), at, to)) [[unlikely]]
            biased.makeAgain(from.data(), at, to);
    }
}

template <bool toEven, class From>
std::size_t biasedRow(std::span<const From> from, const BiasedRow& row, std::uint8_t* to)
{
    const BiasedPositions positions(row, sizeof(From) == 1);
    if (!positions.isExact || from.size() < block)
        return 0;
    if (positions.staysWithin)
        biasedBlocks<toEven, true>(from, row, positions.first, positions.second, to);
    else
        biasedBlocks<toEven, false>(from, row, positions.first, positions.second, to);
    return from.size();
}

template <class From>
std::size_t biasedOf(std::span<const From> from, const BiasedRow& row, std::uint8_t* to)
{
    if (row.vectors == ShiftVectors::None || !hasWideVectors())
        return 0;
    return row.vectors == ShiftVectors::HalvesToEven ? biasedRow<true>(from, row, to)
                                                     : biasedRow<false>(from, row, to);
}

// The requantization of pairs.
struct Pairs {
    LAPIDARY_WIDE Pairs(const PairSum& s, const Requantization& n, const FloatRequantization& real)
        : sum(s)
        , requantization(n)
        , requantized(real)
        , start(_mm512_set1_ps(real.start))
        , guard(real.guard)
    {
        const auto both =
            std::uint32_t(std::uint16_t(s.aStep)) | std::uint32_t(std::uint16_t(s.bStep)) << 16U;
        steps = _mm512_set1_epi32(std::int32_t(both));
    }

    // Computes the positions of a block; each vector has four of each 16 bytes.
    LAPIDARY_WIDE void positions(const std::uint8_t* a, const std::uint8_t* b, __m512i* made) const
    {
        const __m512i none = _mm512_setzero_si512();
        const __m512i as = _mm512_loadu_si512(a);
        const __m512i bs = _mm512_loadu_si512(b);
        const __m512i lowA = _mm512_unpacklo_epi8(as, none);
        const __m512i lowB = _mm512_unpacklo_epi8(bs, none);
        const __m512i highA = _mm512_unpackhi_epi8(as, none);
        const __m512i highB = _mm512_unpackhi_epi8(bs, none);
        made[0] = position(_mm512_unpacklo_epi16(lowA, lowB));
        made[1] = position(_mm512_unpackhi_epi16(lowA, lowB));
        made[2] = position(_mm512_unpacklo_epi16(highA, highB));
        made[3] = position(_mm512_unpackhi_epi16(highA, highB));
    }
    LAPIDARY_WIDE __m512i position(__m512i both) const
    {
        return requantized.of(_mm512_cvtepi32_ps(_mm512_madd_epi16(both, steps)), start);
    }
    // Computes the results of a block.
    LAPIDARY_WIDE void make(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* to) const
    {
        __m512i made[vectors];
        positions(a, b, made);
        _mm512_storeu_si512(to, codesOf(made));
        __m512i least = restOf(made[0]);
        for (std::size_t k = 1; k < vectors; ++k)
            least = _mm512_min_epu32(least, restOf(made[k]));
        if (closeOnes(least, guard) != 0) [[unlikely]]
            makeAgain(a, b, made, to);
    }
    // Computes the uncertain ones.
    LAPIDARY_WIDE void makeAgain(const std::uint8_t* a, const std::uint8_t* b, const __m512i* made,
                                 std::uint8_t* to) const
    {
        for (std::size_t k = 0; k < vectors; ++k) {
            const unsigned close = closeOnes(restOf(made[k]), guard);
            for (std::size_t lane = 0; lane < lanes && close >> lane != 0; ++lane) {
                const std::size_t i = lane / 4 * 16 + k * 4 + lane % 4;
                if ((close >> lane & 1U) != 0)
                    to[i] = requantization(sum(a[i], b[i]));
            }
        }
    }

    const PairSum& sum;
    const Requantization& requantization;
    Positions requantized;
    __m512 start;
    std::int32_t guard;
    __m512i steps;
};

// Returns the number of pairs that it converted.
LAPIDARY_WIDE std::size_t pairBlocks(const CodePairs& codes, const PairSum& sum,
                                     const Requantization& requantization,
                                     const FloatRequantization& real, std::uint8_t* to)
{
    const Pairs pairs(sum, requantization, real);
    std::size_t i = 0;
    for (; i + block <= codes.size(); i += block)
        pairs.make(codes.a.data() + i, codes.b.data() + i, to + i);
    return i;
}

// Returns the number of numbers that it converted.
LAPIDARY_WIDE std::size_t quantizedBlocks(std::span<const float> x, float scale, float offset,
                                          std::uint8_t* to)
{
    std::size_t i = 0;
    for (; i + block <= x.size(); i += block) {
        __m512i codes[vectors];
        for (std::size_t k = 0; k < vectors; ++k) {
            const __m512 position =
                _mm512_mul_ps(_mm512_loadu_ps(x.data() + i + k * lanes), _mm512_set1_ps(scale));
            const __m512 code = _mm512_sub_ps(rounded<false>(position), _mm512_set1_ps(offset));
            // max() returns its second operand for NaN, which stays NaN and becomes the lowest
            // number.
            codes[k] = _mm512_cvttps_epi32(
                _mm512_min_ps(_mm512_set1_ps(255.0F), _mm512_max_ps(_mm512_setzero_ps(), code)));
        }
        const __m512i first = _mm512_packs_epi32(codes[0], codes[1]);
        const __m512i second = _mm512_packs_epi32(codes[2], codes[3]);
        _mm512_storeu_si512(to + i, inOrder(_mm512_packus_epi16(first, second)));
    }
    return i;
}

} // namespace

bool hasWideVectors()
{
    static const bool has = onednn::instructions().vnni512;
    return has;
}

std::size_t biasedWide(std::span<const std::int32_t> sums, const BiasedRow& row, std::uint8_t* to)
{
    return biasedOf(sums, row, to);
}

std::size_t biasedWide(std::span<const std::uint8_t> codes, const BiasedRow& row, std::uint8_t* to)
{
    return biasedOf(codes, row, to);
}

std::size_t pairsWide(const CodePairs& pairs, const PairSum& sum,
                      const Requantization& requantization, std::uint8_t* to)
{
    if (!hasWideVectors() || !requantization.growsWithin(sum.all()))
        return 0;
    const FloatRequantization real = floatRequantizationOf(sum, requantization);
    return real.isExact ? pairBlocks(pairs, sum, requantization, real, to) : 0;
}

std::size_t quantizeWide(std::span<const float> x, float scale, float offset, std::uint8_t* to)
{
    return hasWideVectors() ? quantizedBlocks(x, scale, offset, to) : 0;
}

} // namespace lapidary::int8

#else

namespace lapidary::int8 {

bool hasWideVectors()
{
    return false;
}
std::size_t biasedWide(std::span<const std::int32_t> /*sums*/, const BiasedRow& /*row*/,
                       std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t biasedWide(std::span<const std::uint8_t> /*codes*/, const BiasedRow& /*row*/,
                       std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t pairsWide(const CodePairs& /*pairs*/, const PairSum& /*sum*/,
                      const Requantization& /*n*/, std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t quantizeWide(std::span<const float> /*x*/, float /*scale*/, float /*offset*/,
                         std::uint8_t* /*to*/)
{
    return 0;
}

} // namespace lapidary::int8

#endif
