// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this room: how sums become codes in float.
#include "runner/int8/narrowing.h"

#include <cmath>

namespace lapidary::int8 {

// Without wrapping, ((sum * scale >> 32) + offset) >> 16 is sum * scale / 2^48 + offset / 2^16,
// rounded down: the position of a sum. It is computed as a float between 256 and 512, whose bits
// are an exponent, the quantized value and 15 bits of fraction. `guard` of these, more than all
// roundings together can be off by, are added, so that a position is close to a border if its
// fraction is less than twice that.
inline constexpr int codeShift = 15;
inline constexpr std::int32_t restBits = (1 << codeShift) - 1;
inline constexpr double placeBase = 256;

struct RealNarrowing {
    // The largest |start| of a place.
    RealNarrowing(const Narrowing& n, double largestStart)
        : slope(float(double(n.scale) * 0x1p-48))
        , low(float(placeBase + double(n.low) + 0.5))
        , high(float(placeBase + double(n.high) + 0.5))
        , isExact(largestStart < 8192)
    {
        // Of slope, of start and of the sum of both, in units of 2^-24, 512 of which are one bit.
        guard = isExact ? std::int32_t((2 * largestStart + 770) / 512) + 1 : 0;
    }
    explicit RealNarrowing(const Narrowing& n)
        : RealNarrowing(n, std::fabs(startOf(n)))
    {
        start = from(startOf(n));
    }
    static double startOf(const Narrowing& n) { return double(n.offset) * 0x1p-16; }
    float from(double place) const { return float(place + placeBase + guard * 0x1p-15); }

    float slope;
    float start = 0;
    float low;
    float high;
    bool isExact;
    std::int32_t guard = 0;
};

// Returns whether the positions of all these sums are those of quantized values, so that they need
// not be clamped.
inline bool staysWithin(const RealNarrowing& real, Range32 sums)
{
    const auto place = [&](std::int32_t sum) {
        return std::fma(float(sum), real.slope, real.start);
    };
    return real.low == float(placeBase) + 0.5F && real.high == float(2 * placeBase) - 0.5F &&
           real.slope >= 0 && place(sums.least) >= float(placeBase) &&
           place(sums.most) < float(2 * placeBase);
}

// Both narrowings of a row; `first` counts only where the row's numbers are sums, not codes.
struct BiasedPlaces {
    BiasedPlaces(const BiasedRow& row, bool isOfCodes)
        : first(row.first)
        , second(row.second, row.starts.largest)
        , isExact(second.isExact && (isOfCodes || first.isExact))
        , staysWithin(isOfCodes || int8::staysWithin(first, row.sums))
    {
    }

    RealNarrowing first;
    RealNarrowing second;
    bool isExact;
    bool staysWithin;
};

// Leaves out the start of the pairs, which is part of the position.
inline RealNarrowing realNarrowingOf(const PairSum& sum, const Narrowing& n)
{
    const double start = RealNarrowing::startOf(n) + double(sum.start) * double(n.scale) * 0x1p-48;
    RealNarrowing real(n, std::fabs(start));
    real.start = real.from(start);
    return real;
}

} // namespace lapidary::int8
