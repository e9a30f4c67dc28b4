// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct SummaryItem {
    NodeId node;
    std::string name;
    DType dtype = DType::Invalid;
    std::string shapeText; // as in summarize_graph; "None" if absent
};

// The facts that summarize_graph reports, without its known errors.
struct Summary {
    std::vector<SummaryItem> inputs;    // Placeholder
    std::vector<SummaryItem> variables; // Variable, VariableV2
    std::vector<SummaryItem> stored;    // both of these and resource variables
    std::vector<NodeId> outputs;        // no readers; not Const, Assign, NoOp, Placeholder
    std::int64_t constParameters = 0;
    std::int64_t variableParameters = 0; // from the shape attributes
    std::int64_t controlEdges = 0;
    std::map<std::string, std::int64_t> devices;
    std::map<std::string, std::int64_t> ops; // library functions included
};
Summary summarize(const Graph& graph);

struct SummaryText {
    std::string text;
    std::string error; // not empty: the original would end with this error after the text
};
// Returns byte for byte the text that summarize_graph prints for a graph read from `pathAsGiven`.
SummaryText summarizeGraphText(const Graph& graph, std::string_view pathAsGiven,
                               bool printStructure);

// Returns the order of the transform sort_by_execution_order: Kahn's algorithm over data and
// control inputs, where a Merge waits only for its first data input.
Result<std::vector<NodeId>> executionOrder(const Graph& graph);

} // namespace lapidary
