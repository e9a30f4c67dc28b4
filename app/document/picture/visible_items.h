// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "graph_model/explore/search_index.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/scopes/prepared_scope.h"
#include "transforms/pass/pass.h"
#include "views/canvas/paint/picture_state.h"
#include "views/layout/scene.h"

#include <unordered_map>
#include <vector>

namespace lapidary {

// The item of a scene that shows `item`: itself, what it is folded into, or the closed group around
// it. Invalid where nothing shows it (hidden by the user).
ItemId visibleItem(const Scene& scene, const Preparation& preparation, ItemId item);

// Flagged nodes and every group that holds one, whatever is open.
ItemSetPtr itemsOfNodes(const Preparation& preparation, const std::vector<bool>& flags);

// The boxes that hold hits of a search.
ItemSet visibleHits(const Scene& scene, const Preparation& preparation,
                    const std::vector<SearchHit>& hits);

// Marks of the chosen interface and of problems, on the boxes that show them.
std::unordered_map<ItemId, ItemMarks> visibleMarks(const Scene& scene,
                                                   const Preparation& preparation,
                                                   const InterfaceChoice& choice,
                                                   const Problems& problems);

// Marks the findings of a step in the graph that is shown, at the head of each.
void markFindings(std::unordered_map<ItemId, ItemMarks>& marks, const Scene& scene,
                  const Preparation& preparation, const Findings& findings);

// The node that a problem names, also as "function/node"; invalid where there is none.
NodeId problemNode(const Graph& graph, const Problem& problem);

} // namespace lapidary
