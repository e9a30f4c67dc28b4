// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapidary::int8 {

// Converts an integer sum to a code (spec: kernels, B2.3): ((sum * scale >> 32) + offset) >> 16 in
// wrapping int64, with the sum rounded to float; the result is clamped between two codes.
struct Requantization {
    std::int64_t scale = 0;
    std::int64_t offset = 0;
    std::uint8_t low = 0;
    std::uint8_t high = 255;

    std::uint8_t operator()(std::int32_t sum) const;
    // Returns whether larger sums within the range never give smaller codes, so that nothing wraps.
    bool growsWithin(Range32 sums) const;
};

// Converts a code of one range to a 32-bit code of another one (spec: kernels, B2.1 and B2.2), in
// float: round((bias + code * step) * scale) - offset.
struct Shift {
    float bias = 0;
    float step = 0;
    float scale = 0;
    float offset = 0;
    std::array<std::int32_t, 256> table{}; // by code, made by the reference arithmetic
};

// Uses the instructions that the processor has, in the caller's thread; all give the same values.
void requantize(std::span<const std::int32_t> sums, const Requantization& requantization,
                std::uint8_t* to);

// How vectors shift eight codes at once: not at all, or with halves rounded to even (also if no
// half occurs) or away from zero.
enum class ShiftVectors : std::uint8_t { None, HalvesToEven, HalvesAway };

// The start of each channel, in the form that vectors need.
struct Starts {
    std::vector<float> positions;
    double largest = 0; // largest absolute value of the starts before rounding
};

// Converts a sum of channel c to second(shift(first(sum)) + added[c]), and a code to
// second(shift(code) + added[c]).
class BiasedRequantization {
public:
    // `sums`: the range of the sums that are converted.
    BiasedRequantization(const Requantization& first, Range32 sums, const Shift& shift,
                         std::span<const std::int32_t> added, const Requantization& second);
    // Requantizes channel after channel, from the first one on, in the caller's thread.
    void run(std::span<const std::int32_t> sums, std::uint8_t* to) const;
    void run(std::span<const std::uint8_t> codes, std::uint8_t* to) const;

private:
    std::uint8_t firstCode(std::int32_t sum) const { return m_first(sum); }
    static std::uint8_t firstCode(std::uint8_t code) { return code; }
    template <class From>
    void runRows(std::span<const From> from, std::uint8_t* to) const;

    Requantization m_first;
    Range32 m_sums;
    Shift m_shift;
    std::vector<std::int32_t> m_added; // of one or more pixels: long enough for vectors
    Requantization m_second;
    Starts m_starts; // of the second requantization, including the added values
    ShiftVectors m_vectors = ShiftVectors::None;
};

// The sum of two codes a and b: start + a * aStep + b * bStep, which is far below 2^24.
struct PairSum {
    std::int32_t start = 0;
    std::int16_t aStep = 0;
    std::int16_t bStep = 0;

    std::int32_t operator()(std::uint8_t a, std::uint8_t b) const
    {
        return start + a * aStep + b * bStep;
    }
    Range32 all() const; // range for all pairs of codes
};
// Two arrays of codes of equal length.
struct CodePairs {
    std::span<const std::uint8_t> a;
    std::span<const std::uint8_t> b;

    std::size_t size() const { return a.size(); }
    CodePairs part(std::size_t begin, std::size_t count) const
    {
        return {a.subspan(begin, count), b.subspan(begin, count)};
    }
};
// Returns the smallest and the largest sum of at least one pair; in the caller's thread.
Range32 rangeOfPairs(const CodePairs& pairs, const PairSum& sum);
void requantizePairs(const CodePairs& pairs, const PairSum& sum,
                     const Requantization& requantization, std::uint8_t* to);

struct RealRange {
    float least = 0;
    float most = 0;
};
// Extends the range to include these numbers; NaN is ignored. Runs in the caller's thread.
void include(std::span<const float> x, RealRange& range);

// Computes round(x * scale) - offset for each number, with halves away from zero, clamped between 0
// and 255; NaN becomes 0.
void quantize(std::span<const float> x, float scale, float offset, std::uint8_t* to);

// Computes bias + code * step for each code, both rounded, in the caller's thread.
void dequantize(std::span<const std::uint8_t> codes, float bias, float step, float* to);

} // namespace lapidary::int8
