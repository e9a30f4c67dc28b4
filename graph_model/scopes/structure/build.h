// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/boxes.h"
#include "graph_model/scopes/structure/level.h"

namespace lapidary::structure {

// Makes the boxes of one context, below the box `root`; `boxOfContext` has the roots of the
// contexts in it. Returns a hash of the context's operations. If cancelled, stops early, with fewer
// boxes.
std::uint64_t buildLevel(const Level& level, const std::vector<std::uint32_t>& boxOfContext,
                         std::uint32_t root, BoxTree& tree, const Job& job);

// Puts the items that carry no data (parameters, initializers) into the boxes that read them, and
// the rest into one box at the root. `places` has the box of each item, or none before it is
// placed.
void placeParameters(const Flow& flow, const Contexts& contexts,
                     const std::vector<bool>& isBackward, std::vector<std::uint32_t>& places,
                     BoxTree& tree);

// Dissolves boxes where possible, removes those that show only one part, and makes sections in a
// box that would show more than `mostParts`. `isFolded`: for each item, whether it has no box of
// its own.
void tidyBoxes(const std::vector<bool>& isFolded, std::uint32_t mostParts, BoxTree& tree);

} // namespace lapidary::structure
