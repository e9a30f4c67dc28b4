#pragma once

#include "app/cli/run_setup.h"
#include "transforms/verify/verify_runs.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace lapidary {

// What the verbs that verify share.
struct VerifySettings {
    std::vector<std::string> inputs; // fed with the same numbers; the likely ones
    RunSettings run;                 // of the first graph, random where no source is given
    VerifyTolerance tolerance;
};
// addFeedOptions, --abs and --rel.
void addVerifyOptions(VerbCall& call, VerifySettings& settings);

// Runs both entries on the same values. Nodes are matched by name and structure; an input or output
// that only one has by its name is the other's counterpart.
Result<Verification> verifyEntries(const GraphEntry& a, const std::string& pathA,
                                   const GraphEntry& b, const std::string& pathB,
                                   const VerifySettings& settings, const Job& job);

// What a verb ends with; complains where a graph has ops without a kernel.
int verificationCode(const Verification& verification, const Console& console);
// cli.md's form; an infinite or undefined number is null.
Json verificationJson(const Verification& verification);
// A line for each output, then what was found on the way, then the verdict.
// A row for each tensor that was compared.
void printNodes(const Verification& verification, std::ostream& out);
void printVerification(const Verification& verification, std::ostream& out);

} // namespace lapidary
