// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <string>

namespace lapidary {

// Returns what is untrue in the lineage of an edit, or "": the very same graph if and only if
// nothing was changed, at least as many changes as can be seen, and a lineage that knows where
// every node came from and went.
std::string lineageFault(const Graph& before, const EditResult& edit, bool isSameGraph);

} // namespace lapidary
