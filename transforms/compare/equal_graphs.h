#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// The first difference between two graphs in the words of compare_graphs, empty where they are
// equal (spec: transforms, section 6): nodes by name, "x" equal to "x:0", control inputs as a set,
// tensors by their values, attributes of nodes that begin with "_" ignored; versions, library and
// order too.
std::string graphDifference(const Graph& actual, const Graph& expected);

// The same for two nodes of one name.
std::string nodeDifference(const Node& actual, const Node& expected);

// Whether two values are the same: tensors by what they decode to, functions attribute by
// attribute.
bool isSameValue(const AttrValue& a, const AttrValue& b, const BufferPtr& owner);

} // namespace lapidary
