// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/node_lineage.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t mostNodes = 500; // limit of the nodes that are followed at a time

void addOnce(std::vector<NodeId>& nodes, NodeId id)
{
    if (id.isValid() && nodes.size() < mostNodes && std::ranges::find(nodes, id) == nodes.end())
        nodes.push_back(id);
}

std::vector<NodeId> originsOf(const LineageHop& hop, NodeId node)
{
    std::vector<NodeId> origins;
    if (node.value < hop.lineage->origins.size())
        for (const NodeId id : hop.lineage->origins[node.value])
            if (id.value < hop.before->size())
                addOnce(origins, id);
    return origins;
}

// Returns removed nodes that did not become `node`, but whose readers now read it.
std::vector<NodeId> replacedBy(const LineageHop& hop, NodeId node,
                               const std::vector<NodeId>& origins)
{
    std::vector<NodeId> replaced;
    for (const auto& [id, removal] : hop.lineage->removed)
        if (std::ranges::find(removal.successors, node) != removal.successors.end() &&
            id.value < hop.before->size() && std::ranges::find(origins, id) == origins.end())
            addOnce(replaced, id);
    return replaced;
}

// Returns whether a step left a node as it was: such nodes are shared by both graphs.
bool isSame(const LineageHop& hop, NodeId before, NodeId after)
{
    return hop.before->nodes()[before.value] == hop.after->nodes()[after.value];
}

std::vector<NodeId> inside(const Graph& graph, const std::vector<NodeId>& ids)
{
    std::vector<NodeId> known;
    for (const NodeId id : ids)
        if (id.value < graph.size())
            addOnce(known, id);
    return known;
}

} // namespace

NodePast pastOf(std::span<const LineageHop> way, std::size_t hops, NodeId node)
{
    NodePast past;
    hops = std::min(hops, way.size());
    if (hops > 0 && node.value >= way[hops - 1].after->size())
        return past;
    std::vector<NodeId> now{node};
    for (std::size_t i = hops; i-- > 0;) {
        const LineageHop& hop = way[i];
        if (hop.before == hop.after)
            continue;
        std::vector<NodeId> then;
        for (const NodeId id : now) {
            NodePast::Change change{i, id, originsOf(hop, id), {}, false};
            change.replaced = replacedBy(hop, id, change.origins);
            for (const NodeId origin : change.origins)
                addOnce(then, origin);
            const bool isOne = change.origins.size() == 1;
            if (isOne && change.replaced.empty() && isSame(hop, change.origins[0], id))
                continue;
            change.isRenamed =
                isOne && hop.before->node(change.origins[0]).name() != hop.after->node(id).name();
            if (past.changes.size() < mostNodes)
                past.changes.push_back(std::move(change));
        }
        now = std::move(then);
    }
    past.originals = std::move(now);
    return past;
}

NodeFuture futureOf(std::span<const LineageHop> way, std::size_t hops, NodeId node)
{
    NodeFuture future;
    if (hops < way.size() && node.value >= way[hops].before->size())
        return future;
    std::vector<NodeId> now{node};
    for (std::size_t i = hops; i < way.size(); ++i) {
        const LineageHop& hop = way[i];
        if (hop.before == hop.after)
            continue;
        std::vector<NodeId> next;
        for (const NodeId id : now) {
            const auto removal = hop.lineage->removed.find(id);
            const NodeId kept = id.value < hop.lineage->successor.size()
                                    ? hop.lineage->successor[id.value]
                                    : NodeId{};
            NodeFuture::Fate fate{i, id, {}, {}};
            if (removal != hop.lineage->removed.end()) {
                fate.reason = removal->second.reason;
                fate.successors = inside(*hop.after, removal->second.successors);
            } else if (kept.isValid() && kept.value < hop.after->size()) {
                fate.successors = {kept};
            }
            for (const NodeId successor : fate.successors)
                addOnce(next, successor);
            const bool isKept =
                removal == hop.lineage->removed.end() && fate.successors.size() == 1 &&
                hop.before->node(id).name() == hop.after->node(fate.successors[0]).name();
            if (!isKept && future.fates.size() < mostNodes)
                future.fates.push_back(std::move(fate));
        }
        now = std::move(next);
    }
    future.last = std::move(now);
    return future;
}

} // namespace lapidary
