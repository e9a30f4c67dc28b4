// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/pass_testing.h"
#include "transforms/verify/verify_runs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Random numbers in [low, high) that depend only on the seed.
std::vector<float> numbers(std::size_t count, std::uint32_t seed, float low, float high);

// Returns the graph with another value for one of its constants.
GraphPtr withConstant(const GraphPtr& graph, const std::string& name,
                      const std::vector<std::int64_t>& dims, const std::vector<float>& values);

// A float input and an output of a network, and the size of the input.
struct NetworkInterface {
    std::string input = "x";
    std::vector<std::int64_t> dims;
    std::string output = "out";
};
// Compares two graphs on the same numbers in [-1, 1). Fails the test if they do not run.
Verification verified(const GraphPtr& a, const GraphPtr& b, const NetworkInterface& interface);

// Returns the first graph's name of a pair, "conv:0"; empty if there is none.
std::string nameAt(const Verification& found, const std::optional<std::size_t>& at);

} // namespace lapidary
