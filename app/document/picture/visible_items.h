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

// Returns the item of a scene that shows `item`: itself, the one that it is folded into, or the
// closed group around it. Invalid if none does (hidden by the user).
ItemId visibleItem(const Scene& scene, const Preparation& preparation, ItemId item);

// Returns the flagged nodes and every group that contains one, whatever is open.
ItemSetPtr itemsOfNodes(const Preparation& preparation, const std::vector<bool>& flags);

// Returns the boxes that contain hits of a search.
ItemSet visibleHits(const Scene& scene, const Preparation& preparation,
                    const std::vector<SearchHit>& hits);

// Returns the marks of the chosen interface and of problems, for the boxes that show them.
std::unordered_map<ItemId, ItemMarks> visibleMarks(const Scene& scene,
                                                   const Preparation& preparation,
                                                   const InterfaceChoice& choice,
                                                   const Problems& problems);

// Marks the findings of a step in the shown graph, each at its first node.
void markFindings(std::unordered_map<ItemId, ItemMarks>& marks, const Scene& scene,
                  const Preparation& preparation, const Findings& findings);

// Returns the node that a problem names, also as "function/node"; invalid if there is none.
NodeId problemNode(const Graph& graph, const Problem& problem);

} // namespace lapidary
