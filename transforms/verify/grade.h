// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/agreement.h"

#include <string_view>

namespace lapidary {

// How close a tensor is to the one that it replaces, whatever the scale of its numbers.
enum class Grade {
    Same,      // within the tolerance
    SmallLoss, // beyond it, and within all GradeLimits: what rounding to 8 bits costs
    Broken,    // beyond one of the limits, or not a number if the other one is
};
std::string_view gradeName(Grade grade); // "same", "small loss", "broken"

// The limits between a small loss and a broken tensor. With the noise of rounding, which does not
// depend on the signal, the cosine is 1 / sqrt(1 + 10^(-SQNR / 10)): 10 dB give 0.953.
struct GradeLimits {
    double minSqnrDb = 10;
    double minCosine = 0.95;
    double minTop1 = 0.5; // of rows with a best class, if there are `fewestRows` or more
    std::int64_t fewestRows = 8;
};

// Integers and truth values also count as a small loss if a share of `minTop1` is equal, because
// the distance of two indices says nothing.
Grade gradeOf(const TensorAgreement& agreement, bool isWithin, const GradeLimits& limits);

} // namespace lapidary
