#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary::goldens {

// The first difference between our graph and a recorded one; empty where they are equal. Node by
// node first, because names may be used twice; then by name, whatever the order.
std::string differenceTo(const Graph& ours, const Graph& recorded);

} // namespace lapidary::goldens
