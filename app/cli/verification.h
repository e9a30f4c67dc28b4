// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_flags.h"
#include "transforms/verify/verify_graphs.h"

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The flags of the verbs that verify, as they were written.
struct VerifyFlags {
    std::vector<std::string> inputs; // fed with the same numbers; empty: the likely ones
    RunFlags run;                    // for the first graph; random where no source is given
    std::optional<double> abs;       // none: that of VerifyTolerance
    std::optional<double> rel;
    std::optional<double> minSqnr; // dB; none: that of GradeLimits
    std::optional<double> minCosine;
    std::optional<double> minTop1;
    std::optional<std::size_t> samples; // exactly this number, however long they take
    std::string images;                 // a folder of pictures or one picture
    float mean = 0;                     // for the pictures, as label_image has them
    float std = 255;

    bool hasTolerance() const { return abs || rel; }
    bool hasLimits() const { return minSqnr || minCosine || minTop1; }
};
// Adds addFeedOptions(), the tolerance, the limits and the samples.
void addVerifyOptions(VerbCall& call, VerifyFlags& flags);
// Returns the plan that the flags describe. Errors name the flag.
Result<VerifyPlan> planOf(const VerifyFlags& flags);
BoxGrants grantsOf(const VerifyFlags& flags, const std::string& model);

// Tells whether a small loss is acceptable. Limits decide if they were given; otherwise a given
// tolerance allows no loss. Without either, a graph that computes in 8 bits while the other one
// does not may lose a little, and any other one must compute the same.
bool acceptsSmallLoss(const VerifyFlags& flags, const Graph& a, const Graph& b);

// Returns the exit code of a verb; reports ops that have no kernel.
int verificationCode(const Verification& verification, bool acceptsLoss, const Console& console);
// Infinite and undefined numbers become null, and so does an empty reason (loss_reason.h).
Json verificationJson(const Verification& verification, bool acceptsLoss,
                      const std::string& reason = {});
// Prints a row for each tensor that was compared.
void printNodes(const Verification& verification, std::ostream& out);
// Prints a line for each output, then the findings for other tensors, then the verdict.
void printVerification(const Verification& verification, bool acceptsLoss, std::ostream& out);

} // namespace lapidary
