// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/boxes.h"
#include "graph_model/scopes/structure/sequence.h"

namespace lapidary::structure {

struct Stretch { // positions [begin, end]
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t length() const { return end - begin + 1; }
};

struct Cut {
    Way way = Way::Leaf;
    std::vector<Stretch> parts; // at least 2
};

// Cuts a stretch of more than one atom: at gaps that at most one tensor crosses, into the branches
// of its last atom, at the narrowest gaps, or into balanced parts. O(length).
Cut cutStretch(const Sequence& sequence, Stretch stretch);

} // namespace lapidary::structure
