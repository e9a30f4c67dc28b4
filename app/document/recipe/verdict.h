// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/verify_runs.h"

#include <string>

namespace lapidary {

// Tells whether a state still computes what the original does.
struct Verdict {
    enum class Kind {
        Pending,
        Running,
        Same,    // the same numbers, within the tolerance
        Differs, // ran, with other numbers
        Unknown, // could not be run; `why` says what is missing
    };
    Kind kind = Kind::Pending;
    Grade grade = Grade::Same; // where it ran
    double sqnrDb = 0;         // the lowest of an output; NaN where that is not a number
    std::size_t samples = 0;   // inputs that both graphs ran on
    double maxAbs = 0;         // largest error of an output
    double maxRel = 0;         // the same as a share of that output's largest magnitude
    std::string output;        // that output
    std::string first; // the first tensor above the tolerance, by its name in the state; or empty
    double firstMaxAbs = 0;
    std::string firstLarge; // the first broken tensor, by its name in the state; or empty
    std::string why;
    std::string reason;       // of the loss, and what to do (loss_reason.h); or empty
    std::size_t compared = 0; // tensors

    bool operator==(const Verdict&) const = default;
};

Verdict verdictOf(const Graph& state, const Verification& verification);

} // namespace lapidary
