// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/profile/statistics.h"
#include "runner/values/value.h"

#include <string>
#include <vector>

namespace lapidary {

// benchmark_model's flags with its defaults, as they are written (spec: tools, 1.1).
struct BenchmarkFlags {
    std::string graph = "/data/local/tmp/tensorflow_inception_graph.pb";
    std::string initOps;
    std::string inputLayer = "input:0";
    std::string inputShape = "1,224,224,3";
    std::string inputType = "float";
    std::string inputValues;
    std::string outputLayer = "output:0";
    std::string targetLayer;
    int maxRuns = 1000;
    std::string maxTime = "10.0";
    std::string inferenceDelay = "-1.0";
    std::string benchmarkDelay = "-1.0";
    int threads = -1;
    std::string name;
    std::string outputPrefix;
    bool showSizes = false;
    bool showFlops = false;
    int warmupRuns = 1;
    TableOptions tables;
};

struct BenchmarkInput {
    std::string name;
    DType dtype = DType::Float;
    Dims dims;
    std::vector<float> values; // overwrite the first elements
};
// Errors have the original's wording if it has one.
Result<std::vector<BenchmarkInput>> benchmarkInputs(const BenchmarkFlags& flags);
// Returns a tensor of zeros, except for the first elements, which are as given.
Result<Value> makeBenchmarkInput(const BenchmarkInput& input, MemoryPool& pool);

// Returns the parts between separators; none for an empty text.
std::vector<std::string> splitFlag(const std::string& text, char separator);
// Returns seconds; an error that names the flag if the text is not a number.
Result<double> secondsFlag(const std::string& flag, const std::string& text);

} // namespace lapidary
