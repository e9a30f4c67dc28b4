// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/summary/summary.h"

namespace lapidary {

// Returns the report of summarize_graph with correct line breaks and plurals, and without the
// command that times the graph.
SummaryText readableSummaryText(const Graph& graph, bool printStructure);

} // namespace lapidary
