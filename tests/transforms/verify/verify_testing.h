// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/pass_testing.h"
#include "transforms/verify/verify_runs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Numbers of [low, high) that depend on the seed alone.
std::vector<float> numbers(std::size_t count, std::uint32_t seed, float low, float high);

// The graph with another value for one of its constants.
GraphPtr withConstant(const GraphPtr& graph, const std::string& name,
                      const std::vector<std::int64_t>& dims, const std::vector<float>& values);

// One input of floats and one output of a network, and how large the input is.
struct NetworkInterface {
    std::string input = "x";
    std::vector<std::int64_t> dims;
    std::string output = "out";
};
// Compares two graphs on the same numbers in [-1, 1). Fails the test where they do not run.
Verification verified(const GraphPtr& a, const GraphPtr& b, const NetworkInterface& interface);

// The name that the first graph has for a pair, "conv:0"; empty where there is none.
std::string nameAt(const Verification& found, const std::optional<std::size_t>& at);

} // namespace lapidary
