#pragma once

#include "graph_model/scopes/structure/contexts.h"

namespace lapidary::structure {

// One context with the contexts in it as single elements: acyclic, edges lifted to it. What the
// steps of the search find out about its elements is kept here too.
struct Level {
    static constexpr std::uint32_t contextFlag = 1U << 31;

    std::vector<std::uint32_t> element; // an item, or a context with contextFlag
    const Flow* flow = nullptr;
    std::vector<std::uint64_t> content;
    std::vector<std::uint64_t> kind; // content without what varies within a family
    std::vector<std::uint64_t> detail;
    Rows<Wire> inputs;           // in slot order; of groups and contexts by what they read
    Rows<std::uint32_t> readers; // one entry a wire
    std::vector<std::uint32_t> topological; // sources first
    std::vector<std::uint64_t> cone;        // hash of everything above

    std::vector<bool> isLive;     // carries data from a source; the rest is parameters and such
    std::vector<bool> isBackward; // second half of a training graph
    bool hasHalves = false;
    std::vector<std::uint32_t> foldedInto; // the element on which a side cone hangs, or none

    std::size_t size() const { return element.size(); }
    bool isContext(std::uint32_t e) const { return (element[e] & contextFlag) != 0; }
    const OpTraits& traits(std::uint32_t e) const;
    bool isSuper(std::uint32_t e) const { return traits(e).op.empty(); }
    // Takes part in the order: live and not folded.
    bool isAtom(std::uint32_t e) const { return isLive[e] && foldedInto[e] == none; }
    bool sameHalf(std::uint32_t a, std::uint32_t b) const { return isBackward[a] == isBackward[b]; }
};

// Where the items and contexts are: (context, element) by the context that holds them.
struct Levels {
    std::vector<Level> levels;                   // one a context
    std::vector<std::uint32_t> elementOfItem;    // in the level of its context
    std::vector<std::uint32_t> elementOfContext; // in the level of its parent
};

Levels makeLevels(const Flow& flow, const Contexts& contexts);

// Fills content of super-nodes that became known, drops what is left of cycles, sorts the inputs of
// super-nodes and fills topological and cone.
void arrangeLevel(Level& level);

void findLiveElements(Level& level); // isLive
void splitHalves(Level& level);      // isBackward, hasHalves
void foldSideCones(Level& level);    // foldedInto

} // namespace lapidary::structure
