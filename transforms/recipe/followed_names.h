// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <string>
#include <vector>

namespace lapidary {

// Inputs or outputs ("x", "x:1") as a step left them: a node that the step kept under another name
// is meant by its new one from then on. All other names stay as they are.
std::vector<std::string> followedNames(std::vector<std::string> names, const Graph& before,
                                       const EditResult& step);

} // namespace lapidary
