// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/setup/run_plan.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One tensor, or why it has no value: its branch was not taken, say.
struct ComputedOutput {
    std::string tensor; // "x:0"
    Result<Value> value;
    // How often it was computed where no run can fetch it: in a loop, or in the body of a function.
    // The value is the last one. 0: it was fetched.
    std::uint64_t times = 0;
};
// Values that were computed before from the same feeds, by tensor ("x:0").
using TensorValues = std::map<std::string, Value>;

// Describes what a run computes, given what is known.
struct TensorRequest {
    std::vector<std::string> tensors; // "x:0"
    RunPlan plan;                     // the feeds; fetches and targets do not count
    TensorValues known = {};
    std::string function = {}; // in whose body the tensors are; empty: in the graph itself
};

// "x:0", "x:1", ...: the outputs of a node, also of one that calls a function.
std::vector<std::string> outputTensors(const Graph& graph, NodeId node);

// Returns the results of some nodes: the tensors that other nodes read; if there are none, those
// that no node reads. Constants only if there is nothing else. `nodes` is sorted. O(nodes +
// readers).
std::vector<std::string> resultTensors(const Graph& graph, std::span<const NodeId> nodes);

// The nodes of the graph that call a function, by themselves or by other functions.
std::vector<std::string> callersOf(const Graph& graph, std::string_view function);

// Returns the plan for some tensors: it keeps those of its feeds that they depend on, and feeds the
// known values instead of everything that these replace. Values inside a fusion replace nothing, so
// that the result is to the bit that of a run of everything. O(nodes + edges).
RunPlan planTo(const Graph& graph, const TensorRequest& request);

// Computes each tensor. Errors: those of prepareRun() and of the run, and a request for nothing.
Result<std::vector<ComputedOutput>> computeTensors(const GraphEntry& entry,
                                                   const std::filesystem::path& path,
                                                   const TensorRequest& request, const Job& job);

} // namespace lapidary
