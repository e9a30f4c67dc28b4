// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lapidary::perf {

// Times of the real TensorFlow, measured by reference_bench.py beside `script` (reference.sh) in a
// separate process.
struct ReferenceTimes {
    std::vector<double> ms; // the smallest and the median time; empty if there is none
    double importAndFirst = 0;
};
ReferenceTimes referenceTimes(const std::string& script, const std::string& model,
                              const std::vector<std::string>& feeds,
                              const std::vector<std::string>& fetches, int threads,
                              double seconds = 4);

// Returns the least time of the real TransformGraph, in ms, including the transfer of the graph out
// of Python and back (it runs some times in a separate process); 0 if there is none.
double referenceTransformMs(const std::string& script, const std::string& model,
                            const std::string& inputs, const std::string& outputs,
                            const std::string& transforms);

// Returns the script of the shared data if none is given; empty if it does not exist.
std::string referenceScript(const std::string& given);
// The shared data: LAPIDARY_SHARED, or beside the sources.
std::string sharedFolder();

} // namespace lapidary::perf
