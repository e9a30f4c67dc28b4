// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns inputs or outputs ("x", "x:1") with the names that their nodes have after a step. All
// other names stay as they are.
std::vector<std::string> followedNames(std::vector<std::string> names, const Graph& before,
                                       const EditResult& step);

} // namespace lapidary
