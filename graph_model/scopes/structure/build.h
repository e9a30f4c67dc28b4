#pragma once

#include "graph_model/scopes/structure/boxes.h"
#include "graph_model/scopes/structure/level.h"

namespace lapidary::structure {

// The boxes of one context, below the box `root`; `boxOfContext` has the roots of the contexts in
// it. Gives a hash of what the context does. Stops early, with less than all, when cancelled.
std::uint64_t buildLevel(const Level& level, const std::vector<std::uint32_t>& boxOfContext,
                         std::uint32_t root, BoxTree& tree, const Job& job);

// Puts the items that carry no data (parameters, initialisers) where they are read, and what is
// left into one box at the root. `places` has the box of each item, none where it has no place yet.
void placeParameters(const Flow& flow, const Contexts& contexts,
                     const std::vector<bool>& isBackward, std::vector<std::uint32_t>& places,
                     BoxTree& tree);

// Splices what may be, takes away boxes that show one part only, and makes sections where a box
// would show more than `mostParts`. `isFolded`: items that have no box of their own.
void tidyBoxes(const std::vector<bool>& isFolded, std::uint32_t mostParts, BoxTree& tree);

} // namespace lapidary::structure
