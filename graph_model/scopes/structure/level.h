// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/contexts.h"

namespace lapidary::structure {

// One context with its inner contexts as single elements: acyclic, with edges lifted to it. The
// steps of the search store their findings about the elements here.
struct Level {
    static constexpr std::uint32_t contextFlag = 1U << 31;

    std::vector<std::uint32_t> element; // an item, or a context with contextFlag
    const Flow* flow = nullptr;
    std::vector<std::uint64_t> content;
    std::vector<std::uint64_t> kind; // content without the parts that vary within a family
    std::vector<std::uint64_t> detail;
    // in slot order; for groups and contexts, sorted by the inputs' content
    Rows<Wire> inputs;
    Rows<std::uint32_t> readers;            // one entry a wire
    std::vector<std::uint32_t> topological; // sources first
    std::vector<std::uint64_t> cone;        // hash of everything above

    // carries data from a source; all others are parameters and the like
    std::vector<bool> isLive;
    std::vector<bool> isBackward; // second half of a training graph
    bool hasHalves = false;
    std::vector<std::uint32_t> foldedInto; // the only element that uses a side cone, or none

    std::size_t size() const { return element.size(); }
    bool isContext(std::uint32_t e) const { return (element[e] & contextFlag) != 0; }
    const OpTraits& traits(std::uint32_t e) const;
    bool isSuper(std::uint32_t e) const { return traits(e).op.empty(); }
    // Tells whether the element takes part in the order: live and not folded.
    bool isAtom(std::uint32_t e) const { return isLive[e] && foldedInto[e] == none; }
    bool sameHalf(std::uint32_t a, std::uint32_t b) const { return isBackward[a] == isBackward[b]; }
};

// The element of each item and context: (context, element) by the context that holds it.
struct Levels {
    std::vector<Level> levels;                   // one a context
    std::vector<std::uint32_t> elementOfItem;    // in the level of its context
    std::vector<std::uint32_t> elementOfContext; // in the level of its parent
};

Levels makeLevels(const Flow& flow, const Contexts& contexts);

// Fills the content of super-nodes that became known, drops remaining cycles, sorts the inputs of
// super-nodes and fills topological and cone.
void arrangeLevel(Level& level);

void findLiveElements(Level& level); // isLive
void splitHalves(Level& level);      // isBackward, hasHalves
void foldSideCones(Level& level);    // foldedInto

} // namespace lapidary::structure
