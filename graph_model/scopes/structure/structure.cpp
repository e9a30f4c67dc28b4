// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/structure.h"

#include "graph_model/scopes/structure/build.h"

namespace lapidary::structure {
namespace {

// Returns the box that lists each item; none if the item is in no box.
std::vector<std::uint32_t> placesOf(const Flow& flow, const BoxTree& tree)
{
    std::vector<std::uint32_t> places(flow.size(), none);
    for (std::uint32_t b = 0; b < tree.boxes.size(); ++b)
        for (const Part& part : tree.boxes[b].parts)
            if (!part.isBox)
                places[part.index] = b;
    return places;
}

void searchLevel(Level& level)
{
    arrangeLevel(level);
    findLiveElements(level);
    splitHalves(level);
    foldSideCones(level);
}

} // namespace

Result<Found> findStructure(const ScopeDraft& draft, GroupId scope,
                            std::span<const LevelEdge> edges, const std::vector<bool>& isFolded,
                            std::uint32_t mostParts, const Job& job)
{
    Found found;
    found.flow = makeFlow(draft, scope, edges);
    const Flow& flow = found.flow;
    const Contexts contexts = findContexts(flow, draft);
    Levels levels = makeLevels(flow, contexts);
    std::vector<std::uint32_t> boxOf(contexts.contexts.size(), 0);
    found.tree.add(Way::Root);
    for (std::uint32_t c = 1; c < boxOf.size(); ++c)
        boxOf[c] = found.tree.add(contexts.contexts[c].isLoop ? Way::Loop : Way::Condition);
    std::vector<bool> isBackward(flow.size(), false);
    for (std::size_t c = contexts.contexts.size(); c-- > 0;) { // inner ones first
        if (job.cancelled())
            return cancelledError();
        Level& level = levels.levels[c];
        searchLevel(level);
        if (job.cancelled())
            return cancelledError();
        const std::uint64_t label = buildLevel(level, boxOf, boxOf[c], found.tree, job);
        found.tree.boxes[boxOf[c]].label = label;
        if (c > 0) {
            Level& parent = levels.levels[contexts.contexts[c].parent];
            const std::uint32_t element = levels.elementOfContext[c];
            parent.content[element] = mixHash(label, contexts.contexts[c].isLoop);
            parent.kind[element] = parent.content[element];
            parent.detail[element] = parent.content[element];
        }
        for (std::uint32_t e = 0; e < level.size(); ++e)
            if (!level.isContext(e))
                isBackward[level.element[e]] = level.isBackward[e];
        level = Level();
    }
    if (job.cancelled())
        return cancelledError();
    std::vector<std::uint32_t> places = placesOf(flow, found.tree);
    placeParameters(flow, contexts, isBackward, places, found.tree);
    std::vector<bool> isHiddenItem(flow.size(), false);
    for (std::uint32_t i = 0; i < flow.size(); ++i)
        isHiddenItem[i] = flow.items[i].isNode() && isFolded[flow.items[i].index];
    tidyBoxes(isHiddenItem, mostParts, found.tree);
    return found;
}

} // namespace lapidary::structure
