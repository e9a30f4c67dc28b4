// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Returns the stem, or the first of stem_1, stem_2, ... that is not the name of a node.
std::string freshName(const Graph& graph, const std::string& stem);

} // namespace lapidary
