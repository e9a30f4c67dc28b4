// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/profile/profile_sums.h"

#include <vector>

namespace lapidary {

// Returns for each slice of a profile whether it is on the critical path: the chain that ends with
// the slice that ends last, each link being the input of the next one that ended last before it
// began. More threads cannot make a run shorter than the sum of these slices.
std::vector<bool> criticalSlices(const ProfileSums& sums, const Graph& graph);

} // namespace lapidary
