// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_registry.h"

#include <string>
#include <vector>

namespace lapidary {

// A graph with one node "n" of an op and the nodes that it reads, with one thing wrong.
struct DamagedNode {
    std::string damage; // "T missing", "input 1 of rank 3"; "sound" for none
    GraphPtr graph;
};

// Returns the sound node of an op, then a case for each way to damage an attribute or an input:
// kind, type, size, sign, rank, missing, extra. The same registry gives the same cases in the same
// order.
std::vector<DamagedNode> damagedNodes(const OpSpec& op);

} // namespace lapidary
