// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/edit_chain.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

void addOnce(std::vector<NodeId>& ids, NodeId id)
{
    if (std::ranges::find(ids, id) == ids.end())
        ids.push_back(id);
}

// Returns the successor of a node of the middle graph after the second edit.
std::vector<NodeId> heirs(NodeId middle, const Lineage& second)
{
    if (const NodeId kept = second.successor[middle.value]; kept.isValid())
        return {kept};
    const auto removed = second.removed.find(middle);
    return removed == second.removed.end() ? std::vector<NodeId>() : removed->second.successors;
}

} // namespace

Lineage chained(const Lineage& first, const Lineage& second)
{
    Lineage both;
    for (const std::vector<NodeId>& middles : second.origins) {
        std::vector<NodeId>& origins = both.origins.emplace_back();
        for (const NodeId middle : middles)
            for (const NodeId old : first.origins[middle.value])
                addOnce(origins, old);
    }
    for (const NodeId middle : first.successor)
        both.successor.push_back(middle.isValid() ? second.successor[middle.value] : NodeId());
    for (std::uint32_t i = 0; i < first.successor.size(); ++i) {
        if (both.successor[i].isValid())
            continue;
        Lineage::Removal& removal = both.removed[NodeId{i}];
        if (const NodeId middle = first.successor[i]; middle.isValid()) {
            if (const auto found = second.removed.find(middle); found != second.removed.end())
                removal = found->second;
            continue;
        }
        if (const auto found = first.removed.find(NodeId{i}); found != first.removed.end()) {
            removal.reason = found->second.reason;
            for (const NodeId middle : found->second.successors)
                for (const NodeId heir : heirs(middle, second))
                    addOnce(removal.successors, heir);
        }
    }
    return both;
}

EditChain::EditChain(GraphPtr base)
{
    m_result.graph = std::move(base);
    for (std::uint32_t i = 0; i < m_result.graph->size(); ++i) {
        m_result.lineage.origins.push_back({NodeId{i}});
        m_result.lineage.successor.push_back(NodeId{i});
    }
}

Result<std::size_t> EditChain::apply(Result<EditResult> edit)
{
    RETURN_IF_ERROR(edit);
    EditResult& next = *edit;
    if (next.changes == 0)
        return std::size_t(0);
    m_result.lineage = chained(m_result.lineage, next.lineage);
    m_result.graph = std::move(next.graph);
    m_result.changes += next.changes;
    m_result.places += next.places;
    return next.changes;
}

Findings EditChain::inBase(Findings findings) const
{
    for (Finding& finding : findings) {
        std::vector<NodeId> nodes;
        for (const NodeId id : finding.nodes)
            for (const NodeId origin : m_result.lineage.origins[id.value])
                addOnce(nodes, origin);
        finding.nodes = std::move(nodes);
    }
    return findings;
}

} // namespace lapidary
