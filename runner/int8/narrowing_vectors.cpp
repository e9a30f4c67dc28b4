// Codes are computed in float with a bound on what rounding can do; where a sum lies closer to the
// border between two codes than that, its whole block is computed again in whole numbers.
#include "runner/int8/narrowing_vectors.h"

#include "runner/onednn/instructions.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)

#include <immintrin.h>

#define LAPIDARY_AVX2 [[gnu::target("avx2,fma")]]

namespace lapidary::int8 {
namespace {

constexpr std::size_t block = 32;

// Without wrapping, ((sum * scale >> 32) + offset) >> 16 is sum * scale / 2^48 + offset / 2^16,
// rounded down.
struct RealNarrowing {
    explicit RealNarrowing(const Narrowing& n)
        : slope(float(double(n.scale) * 0x1p-48))
        , start(float(double(n.offset) * 0x1p-16))
        , low(float(n.low) + 0.5F)
        , high(float(n.high) + 0.5F)
    {
        startAt(start);
    }
    void startAt(float place)
    {
        // Of slope, start and the sum of both: half a unit in the last place each; twice that.
        constexpr double unit = 1.0 / (1 << 23);
        start = place;
        border = float(unit * (2 * std::fabs(double(start)) + 600));
    }
    // With `farthest` this keeps sum * scale below 2^63.
    bool isExact() const { return std::fabs(start) < 8192.0F; }

    float slope;
    float start;
    float low;
    float high;
    float border = 0;
};
constexpr float farthest = 16384.0F;

struct Lanes {
    __m256 slope, start, low, high;
};

LAPIDARY_AVX2 inline Lanes lanesOf(const RealNarrowing& n)
{
    return {_mm256_set1_ps(n.slope), _mm256_set1_ps(n.start), _mm256_set1_ps(n.low),
            _mm256_set1_ps(n.high)};
}

// What of places is left behind their codes, and how far off they were.
struct Watch {
    __m256 least;
    __m256 most;
    __m256 largest;
};

LAPIDARY_AVX2 inline __m256 absolute(__m256 x)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}

// The code of a place that nothing makes wrap.
LAPIDARY_AVX2 inline __m256 codeAt(__m256 place, const Lanes& n, Watch& watch)
{
    const __m256 held = _mm256_min_ps(_mm256_max_ps(place, n.low), n.high);
    const __m256 code = _mm256_floor_ps(held);
    const __m256 rest = _mm256_sub_ps(held, code);
    watch.least = _mm256_min_ps(watch.least, rest);
    watch.most = _mm256_max_ps(watch.most, rest);
    return code;
}

LAPIDARY_AVX2 inline __m256 codeOf(__m256 sums, const Lanes& n, Watch& watch)
{
    const __m256 place = _mm256_fmadd_ps(sums, n.slope, n.start);
    watch.largest = _mm256_max_ps(watch.largest, absolute(place));
    return codeAt(place, n, watch);
}

LAPIDARY_AVX2 inline bool isSure(const Watch& watch, float border)
{
    const __m256 low = _mm256_cmp_ps(watch.least, _mm256_set1_ps(border), _CMP_LT_OQ);
    const __m256 high = _mm256_cmp_ps(watch.most, _mm256_set1_ps(1 - border), _CMP_GT_OQ);
    const __m256 far = _mm256_cmp_ps(watch.largest, _mm256_set1_ps(farthest), _CMP_NLT_UQ);
    return _mm256_movemask_ps(_mm256_or_ps(_mm256_or_ps(low, high), far)) == 0;
}

LAPIDARY_AVX2 inline Watch newWatch()
{
    return {_mm256_set1_ps(1.0F), _mm256_setzero_ps(), _mm256_setzero_ps()};
}

LAPIDARY_AVX2 inline __m256 loadSums(const std::int32_t* sums)
{
    return _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums)));
}

// Four times eight codes; what int16 and bytes cannot hold is held.
LAPIDARY_AVX2 inline void store(std::uint8_t* to, const __m256* places)
{
    const __m256i first =
        _mm256_packs_epi32(_mm256_cvttps_epi32(places[0]), _mm256_cvttps_epi32(places[1]));
    const __m256i second =
        _mm256_packs_epi32(_mm256_cvttps_epi32(places[2]), _mm256_cvttps_epi32(places[3]));
    const __m256i codes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second),
                                                      _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), codes);
}

struct ShiftLanes {
    __m256 bias, step, scale;
};

LAPIDARY_AVX2 inline ShiftLanes lanesOf(const Shift& s)
{
    return {_mm256_set1_ps(s.bias), _mm256_set1_ps(s.step), _mm256_set1_ps(s.scale)};
}

enum class Halves : bool { Even, Away };

template <Halves halves>
LAPIDARY_AVX2 inline __m256 rounded(__m256 x)
{
    if constexpr (halves == Halves::Even)
        return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    // Half less one bit is added, with the sign, and the rest cut off.
    const __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0F));
    const __m256 half = _mm256_or_ps(_mm256_set1_ps(0.49999997F), sign);
    return _mm256_round_ps(_mm256_add_ps(x, half), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
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

struct PairLanes {
    __m256i start;
    __m256i steps;
};

LAPIDARY_AVX2 inline PairLanes lanesOf(const PairSum& s)
{
    const auto steps = std::uint32_t(std::uint16_t(s.aStep)) | std::uint32_t(std::uint16_t(s.bStep))
                                                                   << 16U;
    return {_mm256_set1_epi32(s.start), _mm256_set1_epi32(std::int32_t(steps))};
}

// Twice eight sums without `start`.
LAPIDARY_AVX2 inline void sumsOf(const std::uint8_t* a, const std::uint8_t* b, const PairLanes& p,
                                 __m256i* sums)
{
    const __m128i as = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a));
    const __m128i bs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b));
    sums[0] = _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_unpacklo_epi8(as, bs)), p.steps);
    sums[1] = _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_unpackhi_epi8(as, bs)), p.steps);
}

// Eight codes: sums that are narrowed first, or codes as they are.
struct FirstCodes {
    const Narrowing& narrowing;
    Lanes lanes;

    LAPIDARY_AVX2 __m256 load(const std::int32_t* sums, Watch& watch) const
    {
        return codeAt(_mm256_fmadd_ps(loadSums(sums), lanes.slope, lanes.start), lanes, watch);
    }
    LAPIDARY_AVX2 static __m256 load(const std::uint8_t* codes, Watch& /*watch*/)
    {
        const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
        return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight));
    }
    std::uint8_t operator()(std::int32_t sum) const { return narrowing(sum); }
    std::uint8_t operator()(std::uint8_t code) const { return code; }
};

template <Halves halves>
struct BiasLanes {
    FirstCodes first;
    ShiftLanes shift;
    Lanes second;
    const float* starts;

    template <class From>
    LAPIDARY_AVX2 __m256 eight(const From* from, std::size_t at, Watch& watch) const
    {
        const __m256 moved = shifted<halves>(first.load(from + at, watch), shift);
        return codeAt(_mm256_fmadd_ps(moved, second.slope, _mm256_loadu_ps(starts + at)), second,
                      watch);
    }
};

// The last block reaches back over the one before it, so that nothing is left.
template <Halves halves, class From>
LAPIDARY_AVX2 std::size_t biasedRow(std::span<const From> from, const BiasedRow& row,
                                    std::uint8_t* to)
{
    const RealNarrowing first(row.first);
    RealNarrowing second(row.second);
    second.startAt(row.largestStart);
    const bool isExact = second.isExact() && (sizeof(From) == 1 || first.isExact());
    if (!isExact || from.size() < block)
        return 0;
    const BiasLanes<halves> lanes{
        {row.first, lanesOf(first)}, lanesOf(row.shift), lanesOf(second), row.starts.data()};
    const float border = sizeof(From) == 1 ? second.border : std::max(first.border, second.border);
    for (std::size_t next = 0; next < from.size(); next += block) {
        const std::size_t i = std::min(next, from.size() - block);
        Watch watch = newWatch();
        __m256 made[4];
        for (std::size_t k = 0; k < 4; ++k)
            made[k] = lanes.eight(from.data(), i + k * 8, watch);
        store(to + i, made);
        if (isSure(watch, border)) [[likely]]
            continue;
        for (std::size_t k = i; k < i + block; k += 8) {
            Watch one = newWatch();
            lanes.eight(from.data(), k, one);
            for (std::size_t at = k; at < k + 8 && !isSure(one, border); ++at)
                to[at] = row.second(row.shift.table[lanes.first(from[at])] + row.addedCodes[at]);
        }
    }
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

bool hasNarrowingVectors()
{
    static const bool has = onednn::instructions().avx2 && __builtin_cpu_supports("fma");
    return has;
}

LAPIDARY_AVX2 std::size_t narrowVectors(std::span<const std::int32_t> sums,
                                        const Narrowing& narrowing, std::uint8_t* to)
{
    const RealNarrowing real(narrowing);
    if (!hasNarrowingVectors() || !real.isExact())
        return 0;
    const Lanes lanes = lanesOf(real);
    std::size_t i = 0;
    for (; i + block <= sums.size(); i += block) {
        Watch watch = newWatch();
        __m256 places[4];
        for (std::size_t k = 0; k < 4; ++k)
            places[k] = codeOf(loadSums(sums.data() + i + k * 8), lanes, watch);
        store(to + i, places);
        if (isSure(watch, real.border)) [[likely]]
            continue;
        for (std::size_t k = i; k < i + block; ++k)
            to[k] = narrowing(sums[k]);
    }
    return i;
}

ShiftVectors shiftVectorsOf(const Shift& shift)
{
    if (!hasNarrowingVectors())
        return ShiftVectors::None;
    if (givesTable<Halves::Even>(shift))
        return ShiftVectors::HalvesToEven;
    return givesTable<Halves::Away>(shift) ? ShiftVectors::HalvesAway : ShiftVectors::None;
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

LAPIDARY_AVX2 std::size_t rangeVectors(const std::uint8_t* a, const std::uint8_t* b,
                                       std::size_t count, const PairSum& sum, Range32& range)
{
    if (!hasNarrowingVectors() || count < 16)
        return 0;
    const PairLanes lanes = lanesOf(sum);
    __m256i least = _mm256_set1_epi32(range.least);
    __m256i most = _mm256_set1_epi32(range.most);
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i sums[2];
        sumsOf(a + i, b + i, lanes, sums);
        least = _mm256_min_epi32(least, _mm256_min_epi32(sums[0], sums[1]));
        most = _mm256_max_epi32(most, _mm256_max_epi32(sums[0], sums[1]));
    }
    alignas(32) std::int32_t lows[8];
    alignas(32) std::int32_t highs[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lows), _mm256_add_epi32(least, lanes.start));
    _mm256_store_si256(reinterpret_cast<__m256i*>(highs), _mm256_add_epi32(most, lanes.start));
    range = {*std::ranges::min_element(lows), *std::ranges::max_element(highs)};
    return i;
}

LAPIDARY_AVX2 std::size_t pairVectors(const std::uint8_t* a, const std::uint8_t* b,
                                      std::size_t count, const PairSum& sum,
                                      const Narrowing& narrowing, std::uint8_t* to)
{
    const RealNarrowing real(narrowing);
    if (!hasNarrowingVectors() || !real.isExact())
        return 0;
    const Lanes lanes = lanesOf(real);
    const PairLanes pair = lanesOf(sum);
    std::size_t i = 0;
    for (; i + block <= count; i += block) {
        __m256i sums[4];
        sumsOf(a + i, b + i, pair, sums);
        sumsOf(a + i + 16, b + i + 16, pair, sums + 2);
        Watch watch = newWatch();
        __m256 places[4];
        for (std::size_t k = 0; k < 4; ++k)
            places[k] =
                codeOf(_mm256_cvtepi32_ps(_mm256_add_epi32(sums[k], pair.start)), lanes, watch);
        store(to + i, places);
        if (isSure(watch, real.border)) [[likely]]
            continue;
        for (std::size_t k = i; k < i + block; ++k)
            to[k] = narrowing(sum(a[k], b[k]));
    }
    return i;
}

LAPIDARY_AVX2 std::size_t includeVectors(std::span<const float> x, RealRange& range)
{
    if (!hasNarrowingVectors() || x.size() < block)
        return 0;
    __m256 least[4];
    __m256 most[4];
    for (std::size_t k = 0; k < 4; ++k) {
        least[k] = _mm256_set1_ps(range.least);
        most[k] = _mm256_set1_ps(range.most);
    }
    std::size_t i = 0;
    for (; i + block <= x.size(); i += block)
        for (std::size_t k = 0; k < 4; ++k) {
            // The second operand stays where the first one is NaN.
            const __m256 eight = _mm256_loadu_ps(x.data() + i + k * 8);
            least[k] = _mm256_min_ps(eight, least[k]);
            most[k] = _mm256_max_ps(eight, most[k]);
        }
    alignas(32) float lows[block];
    alignas(32) float highs[block];
    for (std::size_t k = 0; k < 4; ++k) {
        _mm256_store_ps(lows + k * 8, least[k]);
        _mm256_store_ps(highs + k * 8, most[k]);
    }
    range = {*std::ranges::min_element(lows), *std::ranges::max_element(highs)};
    return i;
}

LAPIDARY_AVX2 std::size_t quantiseVectors(std::span<const float> x, float scale, float offset,
                                          std::uint8_t* to)
{
    if (!hasNarrowingVectors())
        return 0;
    std::size_t i = 0;
    for (; i + block <= x.size(); i += block) {
        __m256 codes[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const __m256 place =
                _mm256_mul_ps(_mm256_loadu_ps(x.data() + i + k * 8), _mm256_set1_ps(scale));
            const __m256 whole = rounded<Halves::Away>(place);
            const __m256 code = _mm256_sub_ps(whole, _mm256_set1_ps(offset));
            // The second operand, NaN, stays, and becomes the lowest number.
            codes[k] =
                _mm256_min_ps(_mm256_set1_ps(255.0F), _mm256_max_ps(_mm256_setzero_ps(), code));
        }
        store(to + i, codes);
    }
    return i;
}

} // namespace lapidary::int8

#else

namespace lapidary::int8 {

bool hasNarrowingVectors()
{
    return false;
}
std::size_t narrowVectors(std::span<const std::int32_t> /*sums*/, const Narrowing& /*n*/,
                          std::uint8_t* /*to*/)
{
    return 0;
}
ShiftVectors shiftVectorsOf(const Shift& /*shift*/)
{
    return ShiftVectors::None;
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
std::size_t rangeVectors(const std::uint8_t* /*a*/, const std::uint8_t* /*b*/,
                         std::size_t /*count*/, const PairSum& /*sum*/, Range32& /*range*/)
{
    return 0;
}
std::size_t pairVectors(const std::uint8_t* /*a*/, const std::uint8_t* /*b*/, std::size_t /*count*/,
                        const PairSum& /*sum*/, const Narrowing& /*n*/, std::uint8_t* /*to*/)
{
    return 0;
}
std::size_t includeVectors(std::span<const float> /*x*/, RealRange& /*range*/)
{
    return 0;
}
std::size_t quantiseVectors(std::span<const float> /*x*/, float /*scale*/, float /*offset*/,
                            std::uint8_t* /*to*/)
{
    return 0;
}

} // namespace lapidary::int8

#endif
