// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/hubs.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the number of neighbors of each item; several kinds of edges to one neighbor count once.
std::vector<std::uint32_t> degrees(const PreparedScope& scope)
{
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    pairs.reserve(scope.edges.size());
    for (const PreparedEdge& edge : scope.edges)
        if (edge.from >= 0 && edge.to >= 0 && edge.from != edge.to)
            pairs.emplace_back(std::min(edge.from, edge.to), std::max(edge.from, edge.to));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<std::uint32_t> degree(scope.items.size(), 0);
    for (const auto& [a, b] : pairs) {
        ++degree[std::size_t(a)];
        ++degree[std::size_t(b)];
    }
    return degree;
}

bool isPinned(ItemId item, const PrepareOptions& options)
{
    return item.isNode() &&
           std::binary_search(options.pinned.begin(), options.pinned.end(), item.node());
}

} // namespace

void cutHubs(PreparedScope& scope, const PrepareOptions& options)
{
    if (options.hubDegree == 0)
        return;
    const std::vector<std::uint32_t> degree = degrees(scope);
    for (std::size_t i = 0; i < scope.items.size(); ++i)
        scope.items[i].isHub =
            degree[i] > options.hubDegree && !isPinned(scope.items[i].item, options);
    const auto isHub = [&](std::int32_t i) { return i >= 0 && scope.items[std::size_t(i)].isHub; };
    for (PreparedEdge& edge : scope.edges)
        edge.isStub = !edge.isInner && (isHub(edge.from) || isHub(edge.to));
}

} // namespace lapidary
