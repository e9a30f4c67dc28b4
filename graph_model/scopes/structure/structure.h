// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/boxes.h"

namespace lapidary::structure {

// Returns boxes for the children of one scope, found by wiring alone; every item is in exactly one
// box. `edges`: the bucket of the scope. `isFolded`: for each node of the graph, whether it has no
// box of its own. No box shows more than `mostParts` parts. About 0.3 s for 100,000 items.
struct Found {
    Flow flow;
    BoxTree tree;
};
Result<Found> findStructure(const ScopeDraft& draft, GroupId scope,
                            std::span<const LevelEdge> edges, const std::vector<bool>& isFolded,
                            std::uint32_t mostParts, const Job& job);

struct BoxName {
    std::string name;   // "Conv block · 3×3, 256"
    std::string reason; // the rule that made it, one sentence
    GroupKind kind = GroupKind::Block;
    std::uint32_t repeats = 1;
};
std::vector<BoxName> nameBoxes(const ScopeDraft& draft, const Found& found);

} // namespace lapidary::structure
