// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/lineage_fault.h"

#include <algorithm>

namespace lapidary {
namespace {

std::string originFault(const Graph& before, const EditResult& edit)
{
    for (std::uint32_t i = 0; i < edit.graph->size(); ++i)
        for (const NodeId origin : edit.lineage.origins[i])
            if (origin.value >= before.size())
                return std::string(edit.graph->node(NodeId{i}).name()) + " has no such origin";
    return "";
}

std::string successorFault(const Graph& before, const EditResult& edit)
{
    const Lineage& lineage = edit.lineage;
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        const std::string name(before.node(NodeId{i}).name());
        const NodeId to = lineage.successor[i];
        const auto removed = lineage.removed.find(NodeId{i});
        if (to.isValid() != (removed == lineage.removed.end()))
            return name + " is both kept and removed, or neither";
        if (!to.isValid() && removed->second.reason.empty())
            return name + " was removed for no reason";
        if (!to.isValid())
            for (const NodeId heir : removed->second.successors)
                if (heir.value >= edit.graph->size())
                    return name + " was replaced by a node that does not exist";
        if (to.isValid() && (to.value >= edit.graph->size() ||
                             std::ranges::count(lineage.origins[to.value], NodeId{i}) != 1))
            return name + " is not an origin of its successor";
    }
    return "";
}

// Counts nodes that were removed, added, or are other objects.
std::size_t visibleChanges(const Graph& before, const EditResult& edit)
{
    std::size_t changes = edit.lineage.removed.size();
    std::vector<bool> isKept(edit.graph->size(), false);
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        const NodeId to = edit.lineage.successor[i];
        if (!to.isValid())
            continue;
        isKept[to.value] = true;
        changes += before.nodes()[i] == edit.graph->nodes()[to.value] ? 0 : 1;
    }
    return changes + std::size_t(std::ranges::count(isKept, false));
}

} // namespace

std::string lineageFault(const Graph& before, const EditResult& edit, bool isSameGraph)
{
    if (isSameGraph != (edit.changes == 0))
        return isSameGraph ? "changes are counted, but it is the same graph"
                           : "no change is counted, but it is another graph";
    if (edit.lineage.origins.size() != edit.graph->size() ||
        edit.lineage.successor.size() != before.size())
        return "the lineage is of other graphs";
    if (std::string fault = originFault(before, edit); !fault.empty())
        return fault;
    if (std::string fault = successorFault(before, edit); !fault.empty())
        return fault;
    const std::size_t visible = visibleChanges(before, edit);
    if (visible > edit.changes)
        return std::to_string(visible) + " nodes changed, but " + std::to_string(edit.changes) +
               " changes are counted";
    return "";
}

} // namespace lapidary
