// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A readable literal of ops: {"Mul", {{"Conv2D|MatMul", {{"*"}, {"Const"}}}, {"Const"}}}.
// `op`: "*", one op, or several divided by "|". No inputs: the node's inputs are not looked at;
// else one entry for each data input, whatever the port.
struct Pattern {
    std::string op;
    std::vector<Pattern> inputs;
};

// A node and, parallel to the pattern's inputs, what matched them.
struct Match {
    NodeId node;
    std::vector<Match> inputs;

    const Match& input(std::size_t i) const { return inputs[i]; }
};

// All matches in execution order, the first one wins: a node belongs to one match only, but may
// fill several places in it (spec: transforms, section 3.6). Errors: an input that does not exist.
// Where the graph has a cycle, only the part that can be ordered is looked at.
Result<std::vector<Match>> findMatches(const Graph& graph, const Pattern& pattern, const Job& job);

// Every node of a match once: level by level, from left to right, the head first.
std::vector<NodeId> matchedNodes(const Match& match);

} // namespace lapidary
