// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace lapidary {

// The distance of the elements b of a tensor from the elements a of its reference, over one run or
// several.
//
// A text counts as 1, and its counterpart as 1 if it is equal, else as 0. Equal infinities and two
// NaNs agree and are not part of any sum. If only one of a pair is NaN, every figure of the
// difference is NaN, because it is undefined. If one is infinite and the other is not, the
// difference is infinite, its SQNR -infinity and the cosine NaN. If no pair is finite at all, SQNR
// and cosine are NaN.
struct TensorAgreement {
    std::int64_t elements = 0;
    std::int64_t notFiniteA = 0; // elements that are NaN or infinite
    std::int64_t notFiniteB = 0;
    double magnitude = 0;                                    // largest finite |a|
    double maxAbs = 0;                                       // largest |b - a|
    double maxRel = 0;                                       // largest |b - a| / |a|, a not 0
    double meanSquared = 0;                                  // mean of (b - a)^2
    double sqnrDb = std::numeric_limits<double>::infinity(); // 10 log10(sum a^2 / sum (b - a)^2)
    double cosine = 1; // sum ab / sqrt(sum a^2 sum b^2); 1 if both are 0, 0 if one is
    double equal = 1;  // the share of elements that are equal
    // The share of elements where b is its own largest (smallest) number and a is beyond that.
    double saturated = 0;
    // For floats of shape [classes] or [n, classes]: the share of rows whose best class is the
    // same, and of those where a's best class is among b's five best (more than five classes). Rows
    // of a that hold a NaN have no best class.
    std::optional<double> top1;
    std::optional<double> top5;
    std::int64_t rows = 0;    // with a best class
    std::int64_t classes = 0; // different best classes of a; 1: top1 says little
    // The SQNR in dB that is left when every channel of a is multiplied by the factor that suits b
    // best, in least squares: 10 log10(sum b^2 / sum (b - s a)^2). High beside a low sqnrDb: b
    // holds the same numbers on another scale. Absent if a channel has too few elements to tell.
    std::optional<double> rescaledDb;
    bool hasFloats = true; // a holds floating-point numbers
    bool hasTexts = false;

    // |b - a| <= abs + rel * magnitude for all elements.
    bool isWithin(double abs, double rel) const { return maxAbs <= abs + rel * magnitude; }
};

// Sums up the pairs of values of one tensor, run by run.
class AgreementSums {
public:
    // `channelAxis` counts the axes of the values; -1 is the last one.
    explicit AgreementSums(int channelAxis = -1)
        : m_channelAxis(channelAxis)
    {
    }

    // Adds a pair of values. Returns false and adds nothing if the shapes differ, if only one has
    // texts, or if one has neither these nor real numbers (8-bit quantized values, complex numbers,
    // resources).
    bool add(const Value& a, const Value& b);
    bool isEmpty() const { return m_isEmpty; }
    TensorAgreement result() const;

private:
    struct Channel { // sums over its pairs of finite elements
        double count = 0;
        double aa = 0;
        double ab = 0;
        double bb = 0;

        void include(double x, double y);
    };
    struct Classes {
        std::int64_t same = 0;
        std::int64_t amongFive = 0;
        std::int64_t count = 0;                   // the largest number of classes in a value
        std::map<std::size_t, std::int64_t> best; // rows by a's best class
        std::int64_t rows = 0;
    };

    bool addTexts(const Value& a, const Value& b);
    void addPair(double a, double b);
    void addClasses(const Value& a, const Value& b);
    std::optional<double> rescaledDb() const;

    int m_channelAxis;
    bool m_isEmpty = true;
    TensorAgreement m_counts; // the figures that need no sums
    std::int64_t m_finite = 0;
    std::int64_t m_equal = 0;
    std::int64_t m_saturated = 0;
    bool m_hasUndefined = false; // a pair of which only one is NaN
    bool m_hasInfinite = false;  // a pair that differs by infinity
    double m_squaredA = 0;
    double m_squaredB = 0;
    double m_squaredDifference = 0;
    double m_product = 0;
    std::vector<Channel> m_channels;
    Classes m_classes;
};

// Returns the agreement of one pair of values; nothing if AgreementSums::add() refuses it.
std::optional<TensorAgreement> compareValues(const Value& a, const Value& b);

} // namespace lapidary
