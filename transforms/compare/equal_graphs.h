// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Returns the first difference between two graphs in the words of compare_graphs; empty if they are
// equal. Nodes are matched by name, "x" equals "x:0", control inputs are compared as a set and
// tensors by their values, and attributes that begin with "_" are ignored. Versions, library and
// order are ignored too.
std::string graphDifference(const Graph& actual, const Graph& expected);

// Does the same for two nodes of one name.
std::string nodeDifference(const Node& actual, const Node& expected);

// Returns whether two values are the same: tensors by their decoded values, functions attribute by
// attribute.
bool isSameValue(const AttrValue& a, const AttrValue& b, const BufferPtr& owner);

} // namespace lapidary
