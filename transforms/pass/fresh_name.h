// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// The stem, or the first of stem_1, stem_2, ... that no node of the graph is called.
std::string freshName(const Graph& graph, const std::string& stem);

} // namespace lapidary
