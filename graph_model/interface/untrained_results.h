// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_ranking.h"

#include <vector>

namespace lapidary {

// Raises what a loop gathers without a reader to the rank of the best result, if training compares
// that with labels: a translator is trained by one decoder and used by another, which shares its
// weights. A loop before the best result does not count. O(nodes + edges).
void weighUntrainedResults(const Graph& graph, const NodeRoles& roles, std::vector<Weighed>& all);

// Lowers values of one op that several nodes leave unused, if a loss reads another value of the
// network: they are left over from copies of a layer. O(nodes + edges).
void weighLeftovers(const Graph& graph, const NodeParts& parts, std::vector<Weighed>& all);

} // namespace lapidary
