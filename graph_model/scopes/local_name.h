// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <string_view>

namespace lapidary {

// Returns a node's name within its scope: the part after the name scope that contains it, without a
// last part that only repeats the op ("conv1/BatchNorm/FusedBatchNorm" in "conv1" is "BatchNorm").
// Empty only if the node's name is. The result is a view of the node's name.
std::string_view localName(const ScopeTree& tree, const Graph& graph, NodeId id);

} // namespace lapidary
