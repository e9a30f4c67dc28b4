// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/time_groups.h"

#include "graph_model/ops/op_registry.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

constexpr int maxDepth = 32;

using Groups = std::map<std::string, TimeGroup, std::less<>>;

void addTo(Groups& groups, std::string_view name, const RunProfile::NodeTimes& node,
           const std::optional<std::int64_t>& flops)
{
    auto found = groups.find(name);
    if (found == groups.end())
        found = groups.emplace(name, TimeGroup{.name = std::string(name)}).first;
    TimeGroup& group = found->second;
    ++group.nodes;
    group.calls += node.calls;
    group.nanoseconds += node.nanoseconds;
    group.outputBytes += node.outputBytes;
    if (flops)
        group.flops = std::int64_t(std::uint64_t(group.flops.value_or(0)) + std::uint64_t(*flops));
}

void addToScopes(Groups& groups, const RunProfile::NodeTimes& node,
                 const std::optional<std::int64_t>& flops)
{
    const std::string_view name = node.name;
    std::size_t slash = name.find('/');
    for (int depth = 0; depth < maxDepth && slash != std::string_view::npos; ++depth) {
        addTo(groups, name.substr(0, slash), node, flops);
        slash = name.find('/', slash + 1);
    }
}

} // namespace

std::vector<TimeGroup> groupTimes(const RunProfile& profile, GroupBy by)
{
    Groups groups;
    for (const auto& [key, node] : profile.nodes()) {
        const auto flops = profile.flops(key);
        if (by == GroupBy::Scope)
            addToScopes(groups, node, flops);
        else
            addTo(groups, by == GroupBy::Op ? node.op : opFamilyName(opFamily(node.op)), node,
                  flops);
    }
    std::vector<TimeGroup> sorted;
    for (auto& [name, group] : groups)
        sorted.push_back(std::move(group));
    if (by != GroupBy::Scope)
        std::ranges::stable_sort(sorted, std::greater(), &TimeGroup::nanoseconds);
    return sorted;
}

} // namespace lapidary
