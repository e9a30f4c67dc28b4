// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/setup/run_plan.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lapidary {

// One output of a node, or why it has no value: its branch was not taken, or it is in a loop.
struct ComputedOutput {
    std::string tensor; // "x:0"
    Result<Value> value;
};
// Values that were computed before from the same feeds, by tensor ("x:0").
using TensorValues = std::map<std::string, Value>;

// Describes what a run computes, given what is known.
struct NodeRequest {
    NodeId node;
    RunPlan plan; // the feeds; fetches and targets do not count
    TensorValues known;
};

// "x:0", "x:1", ...: the outputs of a node, also of one that calls a function.
std::vector<std::string> outputTensors(const Graph& graph, NodeId node);

// The plan for the outputs of a node: those of its feeds that the node depends on, and in the place
// of everything that known values hide, these. Values inside a fusion hide nothing, so that the
// result is to the bit that of a run of everything. O(nodes + edges).
RunPlan planTo(const Graph& graph, const NodeRequest& request);

// Computes every output of a node. Errors: those of prepareRun() and of the run, and a node without
// outputs.
Result<std::vector<ComputedOutput>> computeNode(const GraphEntry& entry,
                                                const std::filesystem::path& path,
                                                const NodeRequest& request, const Job& job);

} // namespace lapidary
