// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"

#include <string_view>

namespace lapidary {

// Scopes as their names say, and nothing else.
inline const ScopeOptions namesOnly{.series = false, .structure = false, .ungrouped = {}};

ScopeTreePtr scopes(const GraphPtr& graph, const ScopeOptions& options = {});
PreparationPtr prepare(const GraphPtr& graph, const PrepareOptions& options = {},
                       const ScopeOptions& scopeOptions = {});
// "conv1{weights{w}, Conv2D}, y": groups with their children, in order.
std::string printScopes(const Graph& graph, const ScopeTree& tree, GroupId at = rootGroup);
// Checks what holds for every tree: ids in preorder, each node once, counts, lookups.
void checkTree(const Graph& graph, const ScopeTree& tree);
// Checks that every input string that leads to a node is in exactly one edge without an outside
// end, in the lowest scope of what shows its ends, and that the rest is consistent.
void checkEdges(const Preparation& preparation);
// Nodes with scoped names and inputs from anywhere, loops and dangling ends included.
GraphPtr randomGraph(unsigned seed, std::size_t nodes);

} // namespace lapidary
