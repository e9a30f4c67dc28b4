// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/summary/summary.h"

namespace lapidary {

// The report of summarize_graph with line breaks and plurals where they belong, and without the
// command that times the graph.
SummaryText readableSummaryText(const Graph& graph, bool printStructure);

} // namespace lapidary
