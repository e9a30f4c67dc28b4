// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

// Returns the first node of each group in file order; groups may be in any order.
std::vector<std::uint32_t> firstNodes(const ScopeDraft& draft)
{
    std::vector<std::uint32_t> first(draft.groups.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < draft.parentOfNode.size(); ++i) {
        // Nodes are visited in ascending order: an ancestor that is set has an earlier node.
        GroupId g = draft.parentOfNode[i];
        while (g.isValid() && first[g.value] == UINT32_MAX) {
            first[g.value] = i;
            g = draft.groups[g.value].parent;
        }
    }
    return first;
}

void sortChildren(ScopeDraft& draft)
{
    const std::vector<std::uint32_t> first = firstNodes(draft);
    // Parts besides the network come last, in their own order.
    const auto place = [&](ItemId item) {
        if (item.isNode())
            return item.index;
        const bool isPart = draft.groups[item.index].kind == GroupKind::Part;
        return isPart ? UINT32_MAX : first[item.index];
    };
    const auto before = [&](ItemId a, ItemId b) { return place(a) < place(b); };
    for (Group& group : draft.groups)
        if (!std::is_sorted(group.children.begin(), group.children.end(), before))
            std::stable_sort(group.children.begin(), group.children.end(), before);
}

std::vector<std::uint32_t> preorder(const std::vector<Group>& groups)
{
    std::vector<std::uint32_t> order;
    order.reserve(groups.size());
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        order.push_back(at);
        const std::vector<ItemId>& children = groups[at].children;
        for (std::size_t i = children.size(); i-- > 0;)
            if (!children[i].isNode())
                open.push_back(children[i].index);
    }
    return order;
}

void renumber(ScopeDraft& draft)
{
    const std::vector<std::uint32_t> order = preorder(draft.groups);
    std::vector<std::uint32_t> newId(draft.groups.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < order.size(); ++i)
        newId[order[i]] = i;
    std::vector<Group> groups;
    groups.reserve(order.size());
    for (const std::uint32_t old : order) {
        Group& group = groups.emplace_back(std::move(draft.groups[old]));
        if (group.parent.isValid()) {
            group.parent = GroupId{newId[group.parent.value]};
            group.depth = std::uint16_t(groups[group.parent.value].depth + 1);
        }
        for (ItemId& child : group.children)
            if (!child.isNode())
                child.index = newId[child.index];
    }
    draft.groups = std::move(groups);
    for (GroupId& parent : draft.parentOfNode)
        parent = GroupId{newId[parent.value]};
}

} // namespace

GroupId ScopeDraft::addGroup(GroupId parent, GroupKind kind, std::string name, std::string path)
{
    const GroupId id{std::uint32_t(groups.size())};
    Group group;
    group.name = std::move(name);
    group.path = std::move(path);
    group.parent = parent;
    group.kind = kind;
    group.depth = std::uint16_t(groups[parent.value].depth + 1);
    groups.push_back(std::move(group));
    groups[parent.value].children.push_back(ItemId::of(id));
    return id;
}

void ScopeDraft::adopt(GroupId to, const std::vector<ItemId>& items)
{
    for (const ItemId item : items) {
        groups[to.value].children.push_back(item);
        (item.isNode() ? parentOfNode[item.index] : groups[item.index].parent) = to;
    }
}

Status orderGroups(ScopeDraft& draft, const Job& job)
{
    if (job.cancelled())
        return cancelledError();
    sortChildren(draft);
    renumber(draft);
    return Done{};
}

LevelEdges levelEdges(const ScopeDraft& draft)
{
    const Graph& graph = *draft.graph;
    std::vector<LevelEdge> edges;
    std::vector<std::uint32_t> level;
    edges.reserve(graph.edgeCount());
    level.reserve(graph.edgeCount());
    const auto depth = [&](ItemId item) { return draft.groups[draft.parentOf(item).value].depth; };
    for (std::uint32_t reader = 0; reader < graph.size(); ++reader) {
        const auto inputs = graph.inputs(NodeId{reader});
        for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
            if (!inputs[slot].node.isValid())
                continue;
            ItemId a = ItemId::of(inputs[slot].node);
            ItemId b = ItemId::of(NodeId{reader});
            while (draft.parentOf(a) != draft.parentOf(b)) {
                ItemId& deeper = depth(a) > depth(b) ? a : b;
                const bool both = depth(a) == depth(b);
                deeper = ItemId::of(draft.parentOf(deeper));
                if (both)
                    a = ItemId::of(draft.parentOf(a));
            }
            edges.push_back({a, b, inputs[slot].node, NodeId{reader}, slot, inputs[slot].port});
            level.push_back(draft.parentOf(a).value);
        }
    }
    LevelEdges result;
    result.start.assign(draft.groups.size() + 1, 0);
    for (const std::uint32_t g : level)
        ++result.start[g + 1];
    std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
    std::vector<std::uint32_t> next(result.start.begin(), result.start.end() - 1);
    result.edges.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
        result.edges[next[level[i]]++] = edges[i];
    return result;
}

} // namespace lapidary
