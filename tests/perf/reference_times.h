#pragma once

#include "runner/values/value.h"

#include <string>
#include <vector>

namespace lapidary::perf {

// The smallest and the median time of the real TensorFlow on the same model, by reference_bench.py
// beside `script` (reference.sh) in a process of its own. Empty where there is none.
std::vector<double> referenceMilliseconds(const std::string& script, const std::string& model,
                                          const std::string& feed, const Dims& dims,
                                          const std::string& fetch, int threads);

} // namespace lapidary::perf
