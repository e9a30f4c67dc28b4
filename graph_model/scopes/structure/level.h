// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/contexts.h"

namespace lapidary::structure {

// One context, with each inner context as a single element: acyclic, with lifted edges. The steps
// of the search store their results here.
struct Level {
    static constexpr std::uint32_t contextFlag = 1U << 31;

    std::vector<std::uint32_t> element; // an item, or a context with contextFlag
    const Flow* flow = nullptr;
    std::vector<std::uint64_t> content;
    std::vector<std::uint64_t> kind; // content without the parts that vary within a family
    std::vector<std::uint64_t> detail;
    // in slot order; for groups and contexts, sorted by the inputs' content
    Rows<Wire> inputs;
    Rows<std::uint32_t> readers;            // one entry for each wire
    std::vector<std::uint32_t> topological; // in topological order, sources first
    std::vector<std::uint64_t> cone;        // hash of everything it depends on

    // carries data from a source; others are parameters and the like
    std::vector<bool> isLive;
    std::vector<bool> isBackward; // belongs to the second half of a training graph
    bool hasHalves = false;
    std::vector<std::uint32_t> foldedInto; // the only element that uses a side cone, or none

    std::size_t size() const { return element.size(); }
    bool isContext(std::uint32_t e) const { return (element[e] & contextFlag) != 0; }
    const OpTraits& traits(std::uint32_t e) const;
    bool isSuper(std::uint32_t e) const { return traits(e).op.empty(); }
    // Returns whether the element takes part in the order: it is live and not folded.
    bool isAtom(std::uint32_t e) const { return isLive[e] && foldedInto[e] == none; }
    bool sameHalf(std::uint32_t a, std::uint32_t b) const { return isBackward[a] == isBackward[b]; }
};

// The levels of all contexts, and the element of each item and context.
struct Levels {
    std::vector<Level> levels;                   // one for each context
    std::vector<std::uint32_t> elementOfItem;    // in the level of its context
    std::vector<std::uint32_t> elementOfContext; // in the level of its parent
};

Levels makeLevels(const Flow& flow, const Contexts& contexts);

// Fills in the known content of super-nodes, drops remaining cycles, sorts the inputs of
// super-nodes and sets topological and cone.
void arrangeLevel(Level& level);

void findLiveElements(Level& level); // sets isLive
void splitHalves(Level& level);      // sets isBackward and hasHalves
void foldSideCones(Level& level);    // sets foldedInto

} // namespace lapidary::structure
