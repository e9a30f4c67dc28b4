// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lapidary::perf {

// What the real TensorFlow took, by reference_bench.py beside `script` (reference.sh) in a process
// of its own.
struct ReferenceTimes {
    std::vector<double> ms; // the smallest and the median time; empty where there is none
    double importAndFirst = 0;
};
ReferenceTimes referenceTimes(const std::string& script, const std::string& model,
                              const std::vector<std::string>& feeds,
                              const std::vector<std::string>& fetches, int threads,
                              double seconds = 4);

// What the real TransformGraph took at least, in ms, the way of the graph out of Python and back
// included (it runs some times in a process of its own); 0 where there is none.
double referenceTransformMs(const std::string& script, const std::string& model,
                            const std::string& inputs, const std::string& outputs,
                            const std::string& transforms);

// The script of the shared data where nobody named one; empty where it is not there.
std::string referenceScript(const std::string& given);
// The shared data: LAPIDARY_SHARED, or beside the sources.
std::string sharedFolder();

} // namespace lapidary::perf
