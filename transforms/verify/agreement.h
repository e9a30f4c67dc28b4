#pragma once

#include "runner/values/value.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace lapidary {

// How far the elements b of a tensor are from the elements a that are taken for right. Equal
// infinities and two NaNs agree; where only one of a pair is finite, they differ by infinity, and
// the sums leave the pair out.
struct TensorAgreement {
    std::int64_t elements = 0;
    double magnitude = 0;                                    // largest finite |a|
    double maxAbs = 0;                                       // largest |b - a|
    double maxRel = 0;                                       // largest |b - a| / |a|, a not 0
    double meanSquared = 0;                                  // mean of (b - a)^2
    double sqnrDb = std::numeric_limits<double>::infinity(); // 10 log10(sum a^2 / sum (b - a)^2)
    double cosine = 1; // sum ab / sqrt(sum a^2 sum b^2); 1 where both are 0, 0 where one is
    // The share of elements where b is its own largest (smallest) number and a is beyond that.
    double saturated = 0;
    // Of [classes] and [n, classes], floats: the share of rows whose best class is the same, and of
    // those where a's best class is among b's five best (more than five classes).
    std::optional<double> top1;
    std::optional<double> top5;

    // |b - a| <= abs + rel * magnitude for all elements.
    bool isWithin(double abs, double rel) const { return maxAbs <= abs + rel * magnitude; }
};

// Nothing where the shapes differ, or where one has no real numbers (strings, codes of 8 bits,
// complex numbers, resources).
std::optional<TensorAgreement> compareValues(const Value& a, const Value& b);

} // namespace lapidary
