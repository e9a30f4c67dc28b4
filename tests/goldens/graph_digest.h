// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// The record of a large graph: its nodes by op, and a hash of its NodeDefs without the contents of
// tensors. Protobuf's own library serializes them.
struct GraphDigest {
    std::size_t nodes = 0;
    std::map<std::string, std::size_t> ops;
    std::string hash;
};
GraphDigest digestOf(const Graph& graph);

// Returns the difference from a recorded digest; empty if there is none.
std::string digestDifference(const Graph& graph, const nlohmann::json& recorded);

} // namespace lapidary::goldens
