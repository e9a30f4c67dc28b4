// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/profile_sums.h"

#include "runner/profile/critical_path.h"

#include <algorithm>
#include <string>

namespace lapidary {
namespace {

constexpr std::uint32_t noRow = UINT32_MAX;

ProfileSum sumOf(const ProfiledNode& node)
{
    return {node.nanoseconds, node.bytes, node.flops.value_or(0), 1};
}

// The deepest groups come first, so that each is complete when its parent needs it.
std::vector<std::uint32_t> groupsByDepth(const ScopeTree& tree)
{
    std::vector<std::uint32_t> groups;
    for (std::uint32_t g = 1; g < tree.size(); ++g)
        groups.push_back(g);
    std::stable_sort(groups.begin(), groups.end(), [&tree](std::uint32_t a, std::uint32_t b) {
        return tree.group(GroupId{a}).depth > tree.group(GroupId{b}).depth;
    });
    return groups;
}

// Returns the name that a row has in the graph; nothing if it belongs to another graph.
std::optional<std::string_view> nameIn(const ProfiledNode& row, std::string_view function)
{
    const std::string_view name = row.name;
    if (function.empty())
        return row.isInFunction ? std::nullopt : std::optional(name);
    if (name.size() <= function.size() + 1 || !name.starts_with(function) ||
        name[function.size()] != '/')
        return {};
    return name.substr(function.size() + 1);
}

} // namespace

ProfileSum& ProfileSum::operator+=(const ProfileSum& other)
{
    nanoseconds = wrappedSum(nanoseconds, other.nanoseconds);
    bytes += other.bytes;
    flops = wrappedSum(flops, other.flops);
    nodes += other.nodes;
    return *this;
}

Result<ProfileSumsPtr> ProfileSums::make(NodeProfilePtr profile, const Graph& graph,
                                         const ScopeTreePtr& tree, std::string_view function,
                                         const Job& job)
{
    std::shared_ptr<ProfileSums> sums(new ProfileSums);
    sums->m_tree = tree;
    sums->m_rowOfNode.assign(graph.size(), noRow);
    sums->m_ofGroup.resize(tree->size());
    for (std::size_t row = 0; row < profile->nodes.size(); ++row) {
        if (row % 4096 == 0 && job.cancelled())
            return cancelledError();
        const ProfiledNode& measured = profile->nodes[row];
        sums->m_all += sumOf(measured);
        const auto name = nameIn(measured, function);
        NodeId id = name ? graph.find(*name) : NodeId{};
        if (id.isValid() && sums->m_rowOfNode[id.value] != noRow)
            id = {}; // an earlier row has this name
        sums->m_nodeOfRow.push_back(id);
        if (!id.isValid()) {
            ++sums->m_unmatched;
            continue;
        }
        sums->m_rowOfNode[id.value] = std::uint32_t(row);
        sums->m_ofGroup[tree->parentOf(id).value] += sumOf(measured);
    }
    for (const std::uint32_t g : groupsByDepth(*tree))
        sums->m_ofGroup[tree->group(GroupId{g}).parent.value] += sums->m_ofGroup[g];
    sums->m_profile = std::move(profile);
    sums->m_critical = criticalSlices(*sums, graph);
    return ProfileSumsPtr(std::move(sums));
}

std::optional<std::size_t> ProfileSums::rowOf(NodeId id) const
{
    if (!id.isValid() || id.value >= m_rowOfNode.size() || m_rowOfNode[id.value] == noRow)
        return {};
    return m_rowOfNode[id.value];
}

ProfileSum ProfileSums::of(ItemId item) const
{
    if (!item.isValid())
        return {};
    if (!item.isNode())
        return item.index < m_ofGroup.size() ? m_ofGroup[item.index] : ProfileSum{};
    const auto row = rowOf(item.node());
    return row ? sumOf(m_profile->nodes[*row]) : ProfileSum{};
}

} // namespace lapidary
