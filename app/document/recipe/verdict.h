// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/verify_runs.h"

#include <string>

namespace lapidary {

// Tells whether a state still computes the same as the original.
struct Verdict {
    enum class Kind {
        Pending,
        Running,
        Same,    // the same numbers, within the tolerance
        Differs, // ran, with other numbers
        Unknown, // could not be run; `why` tells what is missing
    };
    Kind kind = Kind::Pending;
    Grade grade = Grade::Same; // valid if it ran
    double sqnrDb = 0;         // the lowest of all outputs; NaN if one is not a number
    std::size_t samples = 0;   // number of inputs that both graphs ran on
    bool isCutShort = false;   // the time or the memory did not suffice for all of them
    double maxAbs = 0;         // largest error of an output
    double maxRel = 0;         // that error as a share of the output's largest magnitude
    std::string output;        // the output with that error
    std::string first; // the first tensor above the tolerance, by its name in the state; or empty
    double firstMaxAbs = 0;
    std::string firstLarge; // the first broken tensor, by its name in the state; or empty
    std::string why;
    std::string reason;       // of the loss, with what to do (loss_reason.h); or empty
    std::size_t compared = 0; // number of tensors

    bool operator==(const Verdict&) const = default;
};

Verdict verdictOf(const Graph& state, const Verification& verification);

} // namespace lapidary
