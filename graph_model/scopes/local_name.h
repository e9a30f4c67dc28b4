#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <string_view>

namespace lapidary {

// What a node is called where it stands: the part of its name behind the name scope that holds it,
// without a last part that only repeats the op ("conv1/BatchNorm/FusedBatchNorm" in "conv1" is
// "BatchNorm"). Never empty unless the node's name is. A view of the node's name.
std::string_view localName(const ScopeTree& tree, const Graph& graph, NodeId id);

} // namespace lapidary
