// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A tree of ops, written as {"Mul", {{"Conv2D|MatMul", {{"*"}, {"Const"}}}, {"Const"}}}. `op` is
// "*", one op, or several separated by "|". Without `inputs`, any inputs of the node match;
// otherwise there is one entry for each data input, and its port does not matter.
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

// Whether a node may belong to several matches.
enum class Overlap { None, Any };

// Returns all matches in execution order. The first one wins: unless they may overlap, a node
// belongs to one match only, but may match several entries of the pattern (spec: transforms,
// section 3.6). Fails on an input that does not exist. If the graph has a cycle, only the part that
// can be ordered is searched.
Result<std::vector<Match>> findMatches(const Graph& graph, const Pattern& pattern, const Job& job,
                                       Overlap overlap = Overlap::None);

// Returns every node of a match once: level by level, from left to right, the head first.
std::vector<NodeId> matchedNodes(const Match& match);

} // namespace lapidary
