// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_registry.h"

#include <string>
#include <vector>

namespace lapidary {

// A graph of one node "n" of an op and what it reads, with one thing wrong.
struct DamagedNode {
    std::string damage; // "T missing", "input 1 of rank 3"; "sound" for none
    GraphPtr graph;
};

// The sound node of an op first, then one for each way to damage an attribute or an input: kind,
// type, size, sign, rank, missing, extra. The same cases in the same order for the same registry.
std::vector<DamagedNode> damagedNodes(const OpSpec& op);

} // namespace lapidary
