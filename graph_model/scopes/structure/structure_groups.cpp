// SPDX-License-Identifier: Apache-2.0
// Groups by wiring where names are insufficient: in a scope with too many children, and in a graph
// without scopes.
#include "graph_model/scopes/folding.h"
#include "graph_model/scopes/scope_draft.h"
#include "graph_model/scopes/structure/structure.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace lapidary {
namespace {

// a graph without scopes shows up to this many nodes without groups
constexpr std::size_t fewUnscoped = 24;
// a graph shows up to this many boxes at first: more would be too small to read
constexpr std::size_t mostAtFirst = 40;

std::size_t shownChildren(const Group& group, const std::vector<bool>& isFolded)
{
    return std::size_t(std::ranges::count_if(
        group.children, [&](ItemId child) { return !child.isNode() || !isFolded[child.index]; }));
}

// Returns whether no scopes were made by names.
bool isFlatGraph(const ScopeDraft& draft)
{
    return std::ranges::none_of(draft.groups, [](const Group& group) {
        return group.kind == GroupKind::Scope && group.loop == DrawnLoop::none;
    });
}

bool needsStructure(const ScopeDraft& draft, GroupId id, bool isFlat,
                    const std::vector<bool>& isFolded, const ScopeOptions& options)
{
    const std::size_t shown = shownChildren(draft.groups[id.value], isFolded);
    const std::size_t most = id == rootGroup ? mostAtFirst : SIZE_MAX;
    return shown > std::min<std::size_t>(most, options.maxChildren) ||
           (isFlat && shown > fewUnscoped);
}

// Replaces the children of a scope by the found groups, except those that the user dissolved.
void addFound(ScopeDraft& draft, GroupId scope, const structure::Found& found,
              const std::vector<std::string>& ungrouped)
{
    using structure::Part;
    std::vector<structure::BoxName> names = structure::nameBoxes(draft, found);
    const std::string prefix = draft.groups[scope.value].path;
    draft.groups[scope.value].children.clear();
    struct Open {
        std::uint32_t box;
        GroupId group;
    };
    std::vector<Open> open{{0, scope}};
    for (std::size_t i = 0; i < open.size(); ++i) {
        const Open at = open[i];
        for (const Part& part : found.tree.boxes[at.box].parts) {
            if (!part.isBox) {
                draft.adopt(at.group, {found.flow.items[part.index]});
                continue;
            }
            std::string path =
                (prefix.empty() ? "#block-" : prefix + "/#block-") + std::to_string(part.index);
            GroupId group = at.group;
            if (std::ranges::find(ungrouped, path) == ungrouped.end()) {
                structure::BoxName& name = names[part.index];
                group = draft.addGroup(at.group, name.kind, std::move(name.name), std::move(path));
                draft.groups[group.value].reason = std::move(name.reason);
                draft.groups[group.value].repeats = name.repeats;
                draft.groups[group.value].structure = found.tree.boxes[part.index].label;
            }
            open.push_back({part.index, group});
        }
    }
}

bool isPart(const ScopeDraft& draft, ItemId item)
{
    return !item.isNode() && draft.groups[item.index].kind == GroupKind::Part;
}

bool isRaised(const ScopeDraft& draft, ItemId item)
{
    if (item.isNode())
        return std::ranges::binary_search(draft.raised, item.node());
    const Group& group = draft.groups[item.index];
    return group.kind == GroupKind::Series &&
           std::ranges::all_of(group.children, [&](ItemId child) {
               return child.isNode() && std::ranges::binary_search(draft.raised, child.node());
           });
}

// Returns the model's inputs and outputs if no data of the network passes through them: nodes that
// read the examples or measure a result are beside the network, and nodes made from a result may
// end there.
std::set<ItemId> freeEnds(const ScopeDraft& draft, const std::vector<LevelEdge>& edges)
{
    std::set<ItemId> reading;
    std::set<ItemId> read;
    std::set<ItemId> leading; // read by nodes that are read
    for (const LevelEdge& edge : edges) {
        if (isPart(draft, edge.from) || isPart(draft, edge.to))
            continue;
        reading.insert(edge.to);
        read.insert(edge.from);
    }
    for (const LevelEdge& edge : edges)
        if (!isPart(draft, edge.from) && !isPart(draft, edge.to) && read.contains(edge.to))
            leading.insert(edge.from);
    std::set<ItemId> ends;
    for (const ItemId item : draft.groups[rootGroup.value].children)
        if (isRaised(draft, item) && (!reading.contains(item) || !leading.contains(item)))
            ends.insert(item);
    return ends;
}

// Removes the children beside the network, or on the frame of a loop, from the list of the scope,
// so that they are not put into boxes and inputs and outputs stay at the edges of the picture.
// Their edges are removed from `edges`.
std::vector<ItemId> takeApart(ScopeDraft& draft, GroupId scope, std::vector<LevelEdge>& edges)
{
    const std::set<ItemId> ends = scope == rootGroup ? freeEnds(draft, edges) : std::set<ItemId>();
    const auto isPort = [&](ItemId item) {
        return item.isNode() && std::ranges::binary_search(draft.ports, item.node());
    };
    const auto standsApart = [&](ItemId item) {
        return isPart(draft, item) || ends.contains(item) || isPort(item);
    };
    std::vector<ItemId> apart;
    std::vector<ItemId>& children = draft.groups[scope.value].children;
    std::ranges::copy_if(children, std::back_inserter(apart), standsApart);
    std::erase_if(children, standsApart);
    std::erase_if(edges, [&](const LevelEdge& edge) {
        return standsApart(edge.from) || standsApart(edge.to);
    });
    return apart;
}

} // namespace

Result<bool> addStructureGroups(ScopeDraft& draft, const ScopeOptions& options,
                                const std::vector<bool>& isFolded, const Job& job)
{
    std::vector<GroupId> wanted;
    const bool isFlat = isFlatGraph(draft);
    for (std::uint32_t g = 0; g < draft.groups.size(); ++g)
        if (needsStructure(draft, GroupId{g}, isFlat, isFolded, options))
            wanted.push_back(GroupId{g});
    if (wanted.empty())
        return false;
    const LevelEdges edges = levelEdges(draft);
    for (const GroupId id : wanted) {
        std::vector<LevelEdge> bucket(edges.edges.begin() + edges.start[id.value],
                                      edges.edges.begin() + edges.start[id.value + 1]);
        const std::vector<ItemId> apart = takeApart(draft, id, bucket);
        ASSIGN_OR_RETURN(
            structure::Found found,
            structure::findStructure(draft, id, bucket, isFolded, options.maxChildren, job));
        addFound(draft, id, found, options.ungrouped);
        std::vector<ItemId>& children = draft.groups[id.value].children;
        children.insert(children.end(), apart.begin(), apart.end());
    }
    return true;
}

} // namespace lapidary
