// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <string>

namespace lapidary {

// Returns what is wrong with an edit, or an empty text: the graph must be the same object if and
// only if nothing changed, the number of changes at least that of the visible ones, and the lineage
// must have the origin and the successors of every node.
std::string lineageFault(const Graph& before, const EditResult& edit, bool isSameGraph);

} // namespace lapidary
