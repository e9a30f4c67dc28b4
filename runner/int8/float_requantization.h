// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: the conversion of sums to codes in float.
#include "runner/int8/requantization.h"

#include <cmath>

namespace lapidary::int8 {

// Without wrapping, ((sum * scale >> 32) + offset) >> 16 is sum * scale / 2^48 + offset / 2^16,
// rounded down: the position of a sum. It is computed as a float between 256 and 512, whose bits
// are an exponent, the quantized value and 15 bits of fraction. `guard`, in units of the last bit,
// is larger than all rounding errors together. It is added, so that a position is close to a border
// if its fraction is less than twice the guard.
inline constexpr int codeShift = 15;
inline constexpr std::int32_t restBits = (1 << codeShift) - 1;
inline constexpr double positionBase = 256;

struct FloatRequantization {
    // The largest |start| of a position.
    FloatRequantization(const Requantization& n, double largestStart)
        : slope(float(double(n.scale) * 0x1p-48))
        , low(float(positionBase + double(n.low) + 0.5))
        , high(float(positionBase + double(n.high) + 0.5))
        , isExact(largestStart < 8192)
    {
        // The bound on the error of slope, of start and of their sum, in units of 2^-24, 512 of
        // which are one bit.
        guard = isExact ? std::int32_t((2 * largestStart + 770) / 512) + 1 : 0;
    }
    explicit FloatRequantization(const Requantization& n)
        : FloatRequantization(n, std::fabs(startOf(n)))
    {
        start = from(startOf(n));
    }
    static double startOf(const Requantization& n) { return double(n.offset) * 0x1p-16; }
    float from(double position) const { return float(position + positionBase + guard * 0x1p-15); }

    float slope;
    float start = 0;
    float low;
    float high;
    bool isExact;
    std::int32_t guard = 0;
};

// Returns whether the positions of all these sums are those of quantized values, so that they need
// not be clamped.
inline bool staysWithin(const FloatRequantization& real, Range32 sums)
{
    const auto position = [&](std::int32_t sum) {
        return std::fma(float(sum), real.slope, real.start);
    };
    return real.low == float(positionBase) + 0.5F && real.high == float(2 * positionBase) - 0.5F &&
           real.slope >= 0 && position(sums.least) >= float(positionBase) &&
           position(sums.most) < float(2 * positionBase);
}

// Both requantizations of a row; `first` is only used if the row's numbers are sums, not codes.
struct BiasedPositions {
    BiasedPositions(const BiasedRow& row, bool isOfCodes)
        : first(row.first)
        , second(row.second, row.starts.largest)
        , isExact(second.isExact && (isOfCodes || first.isExact))
        , staysWithin(isOfCodes || int8::staysWithin(first, row.sums))
    {
    }

    FloatRequantization first;
    FloatRequantization second;
    bool isExact;
    bool staysWithin;
};

// The start of the pairs becomes part of the position, so it need not be added to the sums.
inline FloatRequantization floatRequantizationOf(const PairSum& sum, const Requantization& n)
{
    const double start =
        FloatRequantization::startOf(n) + double(sum.start) * double(n.scale) * 0x1p-48;
    FloatRequantization real(n, std::fabs(start));
    real.start = real.from(start);
    return real;
}

} // namespace lapidary::int8
