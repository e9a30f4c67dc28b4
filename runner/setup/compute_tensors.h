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

// One tensor, or the reason why it has no value, for example that its branch was not taken.
struct ComputedOutput {
    std::string tensor; // "x:0"
    Result<Value> value;
    // How often it was computed, if it is in a loop or in the body of a function, where no run can
    // fetch it; the value is the last one. 0: it was fetched.
    std::uint64_t times = 0;
};
// Values that were computed before from the same feeds, by tensor ("x:0").
using TensorValues = std::map<std::string, Value>;

// The tensors that a run computes, and the values that are known before it.
struct TensorRequest {
    std::vector<std::string> tensors; // "x:0"
    RunPlan plan;                     // fetches and targets are ignored
    TensorValues known = {};
    std::string function = {}; // whose body has the tensors; empty: the graph itself
};

// Returns the names of the outputs of a node ("x:0", "x:1", ...), also of one that calls a
// function.
std::vector<std::string> outputTensors(const Graph& graph, NodeId node);

// Returns the results of some nodes: the tensors that other nodes read; if there are none, those
// that no node reads. Constants are results only if there are no others. `nodes` is sorted.
// O(nodes + readers).
std::vector<std::string> resultTensors(const Graph& graph, std::span<const NodeId> nodes);

// Returns the names of the nodes that call a function, directly or through other functions.
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
