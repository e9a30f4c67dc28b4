// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

namespace lapidary::fuzz {

// Lays out the first picture of a graph, and a small graph with everything open. Does nothing in a
// build without a window.
void draw(const GraphPtr& graph);

} // namespace lapidary::fuzz
