// SPDX-License-Identifier: Apache-2.0
// Results are computed in float with a bound on the rounding error. If a sum is closer to the
// border between two results than this bound, its whole block is computed again in integers.
#include "runner/int8/requantization_vectors.h"

#include "runner/int8/eights.h"
#include "runner/int8/float_requantization.h"
#include "runner/onednn/instructions.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)

namespace lapidary::int8 {
namespace {

constexpr float farthest = 8192.0F; // so that sum * scale stays below 2^63

LAPIDARY_AVX2 inline __m256 absolute(__m256 x)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}

struct Lanes {
    __m256 slope, start;
    __m256i low, high;
};

LAPIDARY_AVX2 inline Lanes lanesOf(const FloatRequantization& n)
{
    return {_mm256_set1_ps(n.slope), _mm256_set1_ps(n.start),
            _mm256_castps_si256(_mm256_set1_ps(n.low)),
            _mm256_castps_si256(_mm256_set1_ps(n.high))};
}

// The smallest fractions of positions so far.
struct Watch {
    __m256i least;
};

LAPIDARY_AVX2 inline Watch newWatch()
{
    return {_mm256_set1_epi32(restBits)};
}

// Returns the integer part of a position that is within the range of results.
LAPIDARY_AVX2 inline __m256i positionWithin(__m256 sums, __m256 start, const Lanes& n)
{
    return _mm256_castps_si256(_mm256_fmadd_ps(sums, n.slope, start));
}

LAPIDARY_AVX2 inline void look(__m256i position, Watch& watch)
{
    const __m256i rest = _mm256_and_si256(position, _mm256_set1_epi32(restBits));
    watch.least = _mm256_min_epu32(watch.least, rest);
}

// Returns the integer part of a position, clamped. The comparison is of integers, and the bits of
// negative positions are negative integers.
LAPIDARY_AVX2 inline __m256i clampedPosition(__m256 sums, __m256 start, const Lanes& n,
                                             Watch& watch)
{
    const __m256i position = _mm256_max_epi32(positionWithin(sums, start, n), n.low);
    const __m256i held = _mm256_min_epi32(position, n.high);
    look(held, watch);
    return held;
}

// Returns the result at a position as a float.
LAPIDARY_AVX2 inline __m256 wholeCode(__m256i position)
{
    const __m256i whole = _mm256_andnot_si256(_mm256_set1_epi32(restBits), position);
    return _mm256_sub_ps(_mm256_castsi256_ps(whole), _mm256_set1_ps(float(positionBase)));
}

LAPIDARY_AVX2 inline bool isSure(const Watch& watch, std::int32_t guard)
{
    const __m256i sure = _mm256_cmpgt_epi32(watch.least, _mm256_set1_epi32(2 * guard - 1));
    return _mm256_movemask_epi8(sure) == -1;
}

LAPIDARY_AVX2 inline __m256 loadSums(const std::int32_t* sums)
{
    return _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums)));
}

// Returns the results at four times eight positions.
LAPIDARY_AVX2 inline void store(std::uint8_t* to, const __m256i* positions)
{
    const __m256i code = _mm256_set1_epi16(255); // without the exponent
    const __m256i first = _mm256_packus_epi32(_mm256_srli_epi32(positions[0], codeShift),
                                              _mm256_srli_epi32(positions[1], codeShift));
    const __m256i second = _mm256_packus_epi32(_mm256_srli_epi32(positions[2], codeShift),
                                               _mm256_srli_epi32(positions[3], codeShift));
    const __m256i bytes =
        _mm256_packus_epi16(_mm256_and_si256(first, code), _mm256_and_si256(second, code));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), inOrder(bytes));
}

struct ShiftLanes {
    __m256 bias, step, scale;
};

LAPIDARY_AVX2 inline ShiftLanes lanesOf(const Shift& s)
{
    return {_mm256_set1_ps(s.bias), _mm256_set1_ps(s.step), _mm256_set1_ps(s.scale)};
}

template <Halves halves>
LAPIDARY_AVX2 inline __m256 shifted(__m256 codes, const ShiftLanes& s)
{
    const __m256 real = _mm256_add_ps(s.bias, _mm256_mul_ps(codes, s.step));
    return rounded<halves>(_mm256_mul_ps(real, s.scale));
}

template <Halves halves>
LAPIDARY_AVX2 bool givesTable(const Shift& shift)
{
    const ShiftLanes lanes = lanesOf(shift);
    const __m256 offset = _mm256_set1_ps(shift.offset);
    const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (std::size_t first = 0; first < shift.table.size(); first += 8) {
        const __m256i codes = _mm256_add_epi32(_mm256_set1_epi32(int(first)), order);
        const __m256 moved =
            _mm256_sub_ps(shifted<halves>(_mm256_cvtepi32_ps(codes), lanes), offset);
        const __m256 wanted = loadSums(shift.table.data() + first);
        if (_mm256_movemask_ps(_mm256_cmp_ps(moved, wanted, _CMP_NEQ_UQ)) != 0)
            return false;
    }
    return std::fabs(shift.offset) < float(1 << 20);
}

LAPIDARY_AVX2 inline __m256i stepsOf(const PairSum& s)
{
    const auto steps = std::uint32_t(std::uint16_t(s.aStep)) | std::uint32_t(std::uint16_t(s.bStep))
                                                                   << 16U;
    return _mm256_set1_epi32(std::int32_t(steps));
}

// Computes twice eight sums, without the start of the pairs.
LAPIDARY_AVX2 inline void sumsOf(const std::uint8_t* a, const std::uint8_t* b, __m256i steps,
                                 __m256i* sums)
{
    const __m128i as = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a));
    const __m128i bs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b));
    sums[0] = _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_unpacklo_epi8(as, bs)), steps);
    sums[1] = _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_unpackhi_epi8(as, bs)), steps);
}

// Loads eight numbers as codes in float: sums are requantized first, codes stay as they are.
template <bool within>
struct FirstCodes {
    const Requantization& requantization;
    Lanes lanes;

    LAPIDARY_AVX2 __m256 load(const std::int32_t* sums, Watch& watch) const
    {
        if constexpr (!within)
            return wholeCode(clampedPosition(loadSums(sums), lanes.start, lanes, watch));
        const __m256i position = positionWithin(loadSums(sums), lanes.start, lanes);
        look(position, watch);
        return wholeCode(position);
    }
    LAPIDARY_AVX2 static __m256 load(const std::uint8_t* codes, Watch& /*watch*/)
    {
        const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
        return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight));
    }
    std::uint8_t operator()(std::int32_t sum) const { return requantization(sum); }
    std::uint8_t operator()(std::uint8_t code) const { return code; }
};

template <Halves halves, bool within>
struct BiasLanes {
    FirstCodes<within> first;
    ShiftLanes shift;
    Lanes second;
    const float* starts;

    LAPIDARY_AVX2 __m256i positions(__m256 codes, std::size_t at, Watch& watch) const
    {
        const __m256 moved = shifted<halves>(codes, shift);
        return clampedPosition(moved, _mm256_loadu_ps(starts + at), second, watch);
    }
};

// The last block overlaps the one before it, so that no element is left.
template <Halves halves, bool within, class From>
LAPIDARY_AVX2 void biasedBlocks(std::span<const From> from, const BiasedRow& row,
                                const FloatRequantization& first, const FloatRequantization& second,
                                std::uint8_t* to)
{
    const BiasLanes<halves, within> lanes{{row.first, lanesOf(first)},
                                          lanesOf(row.shift),
                                          lanesOf(second),
                                          row.starts.positions.data()};
    const std::int32_t guard =
        sizeof(From) == 1 ? second.guard : std::max(first.guard, second.guard);
    for (std::size_t next = 0; next < from.size(); next += block) {
        const std::size_t i = std::min(next, from.size() - block);
        Watch watch = newWatch();
        __m256 codes[4];
        __m256i made[4];
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k)
            codes[k] = lanes.first.load(from.data() + i + k * 8, watch);
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k)
            made[k] = lanes.positions(codes[k], i + k * 8, watch);
        store(to + i, made);
        if (isSure(watch, guard)) [[likely]]
            continue;
        for (std::size_t k = i; k < i + block; k += 8) {
            Watch one = newWatch();
            lanes.positions(lanes.first.load(from.data() + k, one), k, one);
            for (std::size_t at = k; at < k + 8 && !isSure(one, guard); ++at)
                to[at] = row.second(row.shift.table[lanes.first(from[at])] + row.addedCodes[at]);
        }
    }
}

template <Halves halves, class From>
std::size_t biasedRow(std::span<const From> from, const BiasedRow& row, std::uint8_t* to)
{
    const BiasedPositions positions(row, sizeof(From) == 1);
    if (!positions.isExact || from.size() < block)
        return 0;
    if (positions.staysWithin)
        biasedBlocks<halves, true>(from, row, positions.first, positions.second, to);
    else
        biasedBlocks<halves, false>(from, row, positions.first, positions.second, to);
    return from.size();
}

template <class From>
std::size_t biasedOf(std::span<const From> from, const BiasedRow& row, std::uint8_t* to)
{
    if (row.vectors == ShiftVectors::None)
        return 0;
    return row.vectors == ShiftVectors::HalvesToEven ? biasedRow<Halves::Even>(from, row, to)
                                                     : biasedRow<Halves::Away>(from, row, to);
}

} // namespace

bool hasVectors()
{
    static const bool has = onednn::instructions().avx2 && __builtin_cpu_supports("fma");
    return has;
}

namespace {

LAPIDARY_AVX2 std::size_t requantizeBlocks(std::span<const std::int32_t> sums,
                                           const Requantization& requantization,
                                           const FloatRequantization& real, std::uint8_t* to)
{
    const Lanes lanes = lanesOf(real);
    const __m256 slope = absolute(lanes.slope);
    std::size_t i = 0;
    for (; i + block <= sums.size(); i += block) {
        Watch watch = newWatch();
        __m256 largest = _mm256_setzero_ps();
        __m256i positions[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const __m256 eight = loadSums(sums.data() + i + k * 8);
            largest = _mm256_max_ps(largest, absolute(eight));
            positions[k] = clampedPosition(eight, lanes.start, lanes, watch);
        }
        store(to + i, positions);
        const __m256 wraps =
            _mm256_cmp_ps(_mm256_mul_ps(largest, slope), _mm256_set1_ps(farthest), _CMP_NLT_UQ);
        if (isSure(watch, real.guard) && _mm256_movemask_ps(wraps) == 0) [[likely]]
            continue;
        for (std::size_t k = i; k < i + block; ++k)
            to[k] = requantization(sums[k]);
    }
    return i;
}

} // namespace

std::size_t requantizeVectors(std::span<const std::int32_t> sums,
                              const Requantization& requantization, std::uint8_t* to)
{
    if (!hasVectors())
        return 0;
    const FloatRequantization real(requantization);
    return real.isExact ? requantizeBlocks(sums, requantization, real, to) : 0;
}

ShiftVectors shiftVectorsOf(const Shift& shift)
{
    if (!hasVectors())
        return ShiftVectors::None;
    if (givesTable<Halves::Even>(shift))
        return ShiftVectors::HalvesToEven;
    return givesTable<Halves::Away>(shift) ? ShiftVectors::HalvesAway : ShiftVectors::None;
}

Starts startsOf(std::span<const std::int32_t> added, Range32 range, const Shift& shift,
                const Requantization& second)
{
    const double slope = double(second.scale) * 0x1p-48;
    const double start = FloatRequantization::startOf(second) - double(shift.offset) * slope;
    Starts starts;
    for (const std::int32_t code : {range.least, range.most}) // one end has the largest
        starts.largest = std::max(starts.largest, std::fabs(double(code) * slope + start));
    const FloatRequantization real(second, starts.largest);
    starts.positions.resize(added.size());
    for (std::size_t i = 0; i < added.size(); ++i)
        starts.positions[i] = real.from(double(added[i]) * slope + start);
    return starts;
}

std::size_t biasedVectors(std::span<const std::int32_t> sums, const BiasedRow& row,
                          std::uint8_t* to)
{
    return biasedOf(sums, row, to);
}

std::size_t biasedVectors(std::span<const std::uint8_t> codes, const BiasedRow& row,
                          std::uint8_t* to)
{
    return biasedOf(codes, row, to);
}

namespace {

LAPIDARY_AVX2 std::size_t includeBlocks(std::span<const std::int32_t> sums, Range32& range)
{
    __m256i least = _mm256_set1_epi32(range.least);
    __m256i most = _mm256_set1_epi32(range.most);
    std::size_t i = 0;
    for (; i + 8 <= sums.size(); i += 8) {
        const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&sums[i]));
        least = _mm256_min_epi32(least, eight);
        most = _mm256_max_epi32(most, eight);
    }
    alignas(32) std::int32_t lows[8];
    alignas(32) std::int32_t highs[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lows), least);
    _mm256_store_si256(reinterpret_cast<__m256i*>(highs), most);
    range = {*std::ranges::min_element(lows), *std::ranges::max_element(highs)};
    return i;
}

} // namespace

std::size_t includeVectors(std::span<const std::int32_t> sums, Range32& range)
{
    return hasVectors() ? includeBlocks(sums, range) : 0;
}

namespace {

LAPIDARY_AVX2 std::size_t rangeBlocks(const CodePairs& pairs, const PairSum& sum, Range32& range)
{
    const __m256i steps = stepsOf(sum);
    const __m256i start = _mm256_set1_epi32(sum.start);
    __m256i least = _mm256_set1_epi32(range.least);
    __m256i most = _mm256_set1_epi32(range.most);
    std::size_t i = 0;
    for (; i + 16 <= pairs.size(); i += 16) {
        __m256i sums[2];
        sumsOf(pairs.a.data() + i, pairs.b.data() + i, steps, sums);
        least = _mm256_min_epi32(least, _mm256_min_epi32(sums[0], sums[1]));
        most = _mm256_max_epi32(most, _mm256_max_epi32(sums[0], sums[1]));
    }
    alignas(32) std::int32_t lows[8];
    alignas(32) std::int32_t highs[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lows), _mm256_add_epi32(least, start));
    _mm256_store_si256(reinterpret_cast<__m256i*>(highs), _mm256_add_epi32(most, start));
    range = {*std::ranges::min_element(lows), *std::ranges::max_element(highs)};
    return i;
}

} // namespace

std::size_t rangeVectors(const CodePairs& pairs, const PairSum& sum, Range32& range)
{
    return hasVectors() && pairs.size() >= 16 ? rangeBlocks(pairs, sum, range) : 0;
}

namespace {

LAPIDARY_AVX2 std::size_t pairBlocks(const CodePairs& pairs, const PairSum& sum,
                                     const Requantization& requantization,
                                     const FloatRequantization& real, std::uint8_t* to)
{
    const Lanes lanes = lanesOf(real);
    const __m256i steps = stepsOf(sum);
    std::size_t i = 0;
    const std::uint8_t* const a = pairs.a.data();
    const std::uint8_t* const b = pairs.b.data();
    for (; i + block <= pairs.size(); i += block) {
        __m256i sums[4];
        sumsOf(a + i, b + i, steps, sums);
        sumsOf(a + i + 16, b + i + 16, steps, sums + 2);
        Watch watch = newWatch();
        __m256i positions[4];
        for (std::size_t k = 0; k < 4; ++k)
            positions[k] = clampedPosition(_mm256_cvtepi32_ps(sums[k]), lanes.start, lanes, watch);
        store(to + i, positions);
        if (isSure(watch, real.guard)) [[likely]]
            continue;
        for (std::size_t k = i; k < i + block; ++k)
            to[k] = requantization(sum(a[k], b[k]));
    }
    return i;
}

} // namespace

std::size_t pairVectors(const CodePairs& pairs, const PairSum& sum,
                        const Requantization& requantization, std::uint8_t* to)
{
    if (!hasVectors() || !requantization.growsWithin(sum.all()))
        return 0;
    const FloatRequantization real = floatRequantizationOf(sum, requantization);
    return real.isExact ? pairBlocks(pairs, sum, requantization, real, to) : 0;
}

} // namespace lapidary::int8

#else

namespace lapidary::int8 {

bool hasVectors()
{
    return false;
}
std::size_t requantizeVectors(std::span<const std::int32_t> /*sums*/, const Requantization& /*n*/,
                              std::uint8_t* /*to*/)
{
    return 0;
}
ShiftVectors shiftVectorsOf(const Shift& /*shift*/)
{
    return ShiftVectors::None;
}
Starts startsOf(std::span<const std::int32_t> /*added*/, Range32 /*range*/, const Shift& /*shift*/,
                const Requantization& /*second*/)
{
    return {};
}
std::size_t biasedVectors(std::span<const std::int32_t> /*sums*/, const BiasedRow& /*row*/,
                          std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t biasedVectors(std::span<const std::uint8_t> /*codes*/, const BiasedRow& /*row*/,
                          std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t includeVectors(std::span<const std::int32_t> /*sums*/, Range32& /*range*/)
{
    return 0;
}
std::size_t rangeVectors(const CodePairs& /*pairs*/, const PairSum& /*sum*/, Range32& /*range*/)
{
    return 0;
}
std::size_t pairVectors(const CodePairs& /*pairs*/, const PairSum& /*sum*/,
                        const Requantization& /*n*/, std::uint8_t* /*to*/)
{
    return 0;
}

} // namespace lapidary::int8

#endif
