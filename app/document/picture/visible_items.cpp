// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture/visible_items.h"

namespace lapidary {

ItemId visibleItem(const Scene& scene, const Preparation& preparation, ItemId item)
{
    if (item.isNode() && item.isValid())
        item = preparation.shownBy(item.node());
    while (item.isValid() && !scene.boxOf.contains(item)) {
        const GroupId parent = preparation.tree().parentOf(item);
        if (!parent.isValid() || parent == rootGroup)
            return {};
        item = ItemId::of(parent);
    }
    return item;
}

ItemSetPtr itemsOfNodes(const Preparation& preparation, const std::vector<bool>& flags)
{
    const ScopeTree& tree = preparation.tree();
    auto items = std::make_shared<ItemSet>();
    std::vector<bool> seen(tree.size(), false);
    for (std::uint32_t i = 0; i < flags.size(); ++i) {
        if (!flags[i])
            continue;
        items->insert(ItemId::of(NodeId{i}));
        const ItemId shown = preparation.shownBy(NodeId{i});
        if (shown.isValid())
            items->insert(shown);
        for (GroupId at = tree.parentOf(NodeId{i}); at.isValid() && !seen[at.value];
             at = tree.group(at).parent) {
            seen[at.value] = true;
            items->insert(ItemId::of(at));
        }
    }
    return items;
}

ItemSet visibleHits(const Scene& scene, const Preparation& preparation,
                    const std::vector<SearchHit>& hits)
{
    ItemSet items;
    for (const SearchHit& hit : hits)
        if (const ItemId item = visibleItem(scene, preparation, ItemId::of(hit.node));
            item.isValid())
            items.insert(item);
    return items;
}

NodeId problemNode(const Graph& graph, const Problem& problem)
{
    const NodeId whole = graph.find(problem.node);
    if (whole.isValid())
        return whole;
    const std::size_t slash = problem.node.find('/');
    return slash == std::string::npos ? NodeId{} : graph.find(problem.node.substr(slash + 1));
}

std::unordered_map<ItemId, ItemMarks> visibleMarks(const Scene& scene,
                                                   const Preparation& preparation,
                                                   const InterfaceChoice& choice,
                                                   const Problems& problems)
{
    std::unordered_map<ItemId, ItemMarks> marks;
    const auto at = [&](NodeId id) -> ItemMarks* {
        if (!id.isValid())
            return nullptr;
        const ItemId item = visibleItem(scene, preparation, ItemId::of(id));
        return item.isValid() ? &marks[item] : nullptr;
    };
    for (const ChosenTensor& tensor : choice.inputs)
        if (ItemMarks* mark = at(tensor.node))
            mark->input = true;
    for (const ChosenTensor& tensor : choice.outputs)
        if (ItemMarks* mark = at(tensor.node))
            mark->output = true;
    for (const Problem& problem : problems) {
        if (problem.node.empty() || problem.severity == Severity::Note)
            continue;
        if (ItemMarks* mark = at(problemNode(preparation.graph(), problem)))
            (problem.severity == Severity::Error ? mark->problem : mark->warning) = true;
    }
    return marks;
}

void markFindings(std::unordered_map<ItemId, ItemMarks>& marks, const Scene& scene,
                  const Preparation& preparation, const Findings& findings)
{
    for (const Finding& finding : findings) {
        if (finding.nodes.empty() || finding.nodes.front().value >= preparation.graph().size())
            continue;
        const ItemId item = visibleItem(scene, preparation, ItemId::of(finding.nodes.front()));
        if (item.isValid())
            (finding.why.empty() ? marks[item].match : marks[item].nearMiss) = true;
    }
}

} // namespace lapidary
