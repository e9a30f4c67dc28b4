// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_ranking.h"

#include <vector>

namespace lapidary {

// Replaces each node of the file that only marks a result of a function, and therefore has no
// output to fetch, by the tensor that it returns.
void offerReturnedTensors(const Graph& graph, std::vector<Weighed>& outputs);

} // namespace lapidary
