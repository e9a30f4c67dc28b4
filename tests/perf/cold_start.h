// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace lapidary::perf {

// The time of a new process until its first result, and its anonymous resident memory over a few
// runs.
struct ColdStart {
    double milliseconds = 0; // from the start of the process
    double beforeMb = 0;     // without a model, but with the libraries in use
    double peakMb = 0;
    double weightsMb = 0; // all constants of the graph
    double liveMb = 0;    // the largest set of live tensors
};

// Starts `program` (this one) with --cold; returns nothing if that fails.
std::optional<ColdStart> coldStart(const std::string& program, const std::string& file,
                                   const std::string& model);
// Does the work of that process and prints one line of figures.
int runCold(const std::string& file, const std::string& model);

} // namespace lapidary::perf
