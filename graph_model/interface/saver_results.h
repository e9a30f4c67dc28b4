// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_ranking.h"

#include <vector>

namespace lapidary {

// Marks the outputs that serve to save, restore or initialize. Values of variables belong to them
// if an op saves them, or if the network has other results and no op computes with them. A graph
// that only holds variables has no other results than their values. O(outputs and their readers).
void markSaverResults(const Graph& graph, const NodeParts& parts, std::vector<Weighed>& all);

} // namespace lapidary
