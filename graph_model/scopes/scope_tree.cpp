// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/scope_tree.h"

#include "graph_model/scopes/folding.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether the group was joined with the scope of this path: "a" is found as the group "a/b"
// that it was joined with.
bool isJoinedAbove(std::string_view path, const Group& group)
{
    return group.kind == GroupKind::Scope && group.path.size() > path.size() &&
           group.path.starts_with(path) && group.path[path.size()] == '/';
}

} // namespace

class ScopeTreeBuilder {
public:
    static ScopeTreePtr finish(GraphPtr graph, NodePartsPtr parts, LoopFramesPtr loops,
                               BranchesPtr branches, ScopeDraft draft)
    {
        auto tree = std::make_shared<ScopeTree>();
        tree->m_graph = std::move(graph);
        tree->m_parts = std::move(parts);
        tree->m_loops = std::move(loops);
        tree->m_branches = std::move(branches);
        tree->m_groups = std::move(draft.groups);
        tree->m_parentOfNode = std::move(draft.parentOfNode);
        tree->m_byPath.reserve(tree->m_groups.size());
        // A scope may be in the network and in other parts; that of the network keeps the plain
        // path.
        const std::vector<bool> isAside = groupsAside(tree->m_groups);
        for (const bool aside : {false, true})
            for (std::uint32_t g = 0; g < tree->m_groups.size(); ++g)
                if (isAside[g] == aside)
                    makeUnique(*tree, g);
        for (auto& [path, node] : draft.dissolved)
            tree->m_byPath.emplace(std::move(path), tree->m_parentOfNode[node.value]);
        return tree;
    }

private:
    static std::vector<bool> groupsAside(const std::vector<Group>& groups)
    {
        std::vector<bool> isAside(groups.size(), false);
        for (std::size_t g = 1; g < groups.size(); ++g)
            isAside[g] = groups[g].kind == GroupKind::Part || isAside[groups[g].parent.value];
        return isAside;
    }

    static void makeUnique(ScopeTree& tree, std::uint32_t g)
    {
        std::string& path = tree.m_groups[g].path;
        const std::string wanted = path;
        for (int n = 2; !tree.m_byPath.emplace(path, GroupId{g}).second; ++n)
            path = wanted + "~" + std::to_string(n);
    }
};

GroupId ScopeTree::find(std::string_view path) const
{
    const auto found = m_byPath.find(std::string(path));
    if (found != m_byPath.end())
        return found->second;
    // The nearest existing scope above; a joined scope is one of its children.
    GroupId above = rootGroup;
    for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
        const auto parent = m_byPath.find(std::string(path.substr(0, slash)));
        if (parent == m_byPath.end())
            continue;
        above = parent->second;
        break;
    }
    // Groups that were found (series, blocks) may be between a scope and its joined child.
    std::vector<GroupId> open{above};
    while (!open.empty()) {
        const GroupId at = open.back();
        open.pop_back();
        for (const ItemId child : group(at).children) {
            if (child.isNode())
                continue;
            if (isJoinedAbove(path, group(child.group())))
                return child.group();
            if (group(child.group()).kind != GroupKind::Scope)
                open.push_back(child.group());
        }
    }
    return {};
}

ItemId ScopeTree::childOf(GroupId ancestor, ItemId item) const
{
    while (item.isValid()) {
        const GroupId parent = parentOf(item);
        if (parent == ancestor)
            return item;
        item = ItemId::of(parent);
    }
    return {};
}

GroupId ScopeTree::lowestCommon(ItemId a, ItemId b) const
{
    GroupId x = parentOf(a);
    GroupId y = parentOf(b);
    while (x.isValid() && y.isValid() && x != y) {
        const bool up = group(x).depth >= group(y).depth;
        (up ? x : y) = group(up ? x : y).parent;
    }
    return x.isValid() && y.isValid() ? x : rootGroup;
}

namespace {

// Returns the folded nodes, and those drawn on the frame of a loop, which are in no group inside.
std::vector<bool> foldedNodes(const Graph& graph, const Folding& folding)
{
    std::vector<bool> folded(graph.size());
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        folded[i] = folding.host[i] != NodeId{i} || folding.ports.contains(NodeId{i});
    return folded;
}

Status addSeries(ScopeDraft& draft, const ScopeOptions& options, const LevelEdges& edges,
                 const std::vector<bool>& folded, const Job& job)
{
    ASSIGN_OR_RETURN(const bool changed, addSeriesGroups(draft, options, edges, folded, job));
    return changed ? orderGroups(draft, job) : Done{};
}

Status addCopies(ScopeDraft& draft, const ScopeOptions& options, const std::vector<bool>& folded,
                 const Job& job)
{
    const LevelEdges edges = levelEdges(draft);
    ASSIGN_OR_RETURN(const bool changed, addCopyGroups(draft, options, edges, folded, job));
    if (!changed)
        return Done{};
    RETURN_IF_ERROR(orderGroups(draft, job));
    return hashGroups(draft, levelEdges(draft), job);
}

Status addFoundGroups(ScopeDraft& draft, const ScopeOptions& options,
                      const std::vector<bool>& folded, const Job& job)
{
    dissolveSingleScopes(draft, folded);
    RETURN_IF_ERROR(orderGroups(draft, job));
    const LevelEdges edges = levelEdges(draft);
    RETURN_IF_ERROR(hashGroups(draft, edges, job));
    if (options.series)
        RETURN_IF_ERROR(addSeries(draft, options, edges, folded, job));
    if (options.series)
        RETURN_IF_ERROR(addCopies(draft, options, folded, job));
    if (options.structure)
        RETURN_IF_ERROR(addStructureGroups(draft, options, folded, job));
    return Done{};
}

} // namespace

Result<ScopeTreePtr> buildScopeTree(const GraphPtr& graph, const ScopeOptions& options,
                                    const Job& job)
{
    ScopeDraft draft;
    draft.graph = graph.get();
    const NodeParts* parts = options.parts.get();
    const LoopFramesPtr loops = findLoops(*graph, parts);
    const BranchesPtr branches = findBranches(*graph, parts, loops.get());
    draft.loops = loops.get();
    draft.branches = branches.get();
    RETURN_IF_ERROR(addNameScopes(draft, options, job));
    ASSIGN_OR_RETURN(const Folding folding, foldNodes(*graph, {parts, loops.get(), branches.get()},
                                                      PrepareOptions(), job, Rules::Without));
    for (const auto& [id, port] : folding.ports)
        draft.ports.push_back(id);
    std::ranges::sort(draft.ports);
    RETURN_IF_ERROR(addFoundGroups(draft, options, foldedNodes(*graph, folding), job));
    RETURN_IF_ERROR(orderGroups(draft, job));
    RETURN_IF_ERROR(countGroups(draft, folding.host, parts, job));
    return ScopeTreeBuilder::finish(graph, options.parts, loops, branches, std::move(draft));
}

} // namespace lapidary
