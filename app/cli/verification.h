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
    std::vector<std::string> inputs; // fed with the same numbers; the likely ones
    RunFlags run;                    // of the first graph, random where no source is given
    std::optional<double> abs;       // without one: as VerifyTolerance has it
    std::optional<double> rel;
    std::optional<double> minSqnr; // dB; without one: as GradeLimits has it
    std::optional<double> minCosine;
    std::optional<double> minTop1;
    std::optional<std::size_t> samples; // exactly as many, whatever time they take
    std::string images;                 // a folder of pictures or one picture
    float mean = 0;                     // of the pictures, as label_image has them
    float std = 255;

    bool hasTolerance() const { return abs || rel; }
    bool hasLimits() const { return minSqnr || minCosine || minTop1; }
};
// addFeedOptions(), the tolerance, the limits and the samples.
void addVerifyOptions(VerbCall& call, VerifyFlags& flags);
// The plan that the flags describe. Errors name the flag.
Result<VerifyPlan> planOf(const VerifyFlags& flags);
BoxGrants grantsOf(const VerifyFlags& flags, const std::string& model);

// Returns whether a small loss is acceptable. Limits decide if they were given; else a given
// tolerance allows no loss. Without either, a graph that computes in 8 bits where the other one
// does not may lose a little, and any other one must compute the same.
bool acceptsSmallLoss(const VerifyFlags& flags, const Graph& a, const Graph& b);

// Returns the exit code of a verb; reports ops that have no kernel.
int verificationCode(const Verification& verification, bool acceptsLoss, const Console& console);
// An infinite or undefined number is null, as is a reason (loss_reason.h) that is empty.
Json verificationJson(const Verification& verification, bool acceptsLoss,
                      const std::string& reason = {});
// A row for each tensor that was compared.
void printNodes(const Verification& verification, std::ostream& out);
// A line for each output, then what was found on the way, then the verdict.
void printVerification(const Verification& verification, bool acceptsLoss, std::ostream& out);

} // namespace lapidary
