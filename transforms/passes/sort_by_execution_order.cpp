// SPDX-License-Identifier: Apache-2.0
// sort_by_execution_order
//
// Needs a graph without cycles but those of Merge and without missing inputs. O(nodes + edges).
#include "graph_model/summary/summary.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

// Returns the nodes that get another position.
std::vector<NodeId> movedNodes(const std::vector<NodeId>& order)
{
    std::vector<NodeId> moved;
    for (std::uint32_t i = 0; i < order.size(); ++i)
        if (order[i] != NodeId{i})
            moved.push_back(order[i]);
    return moved;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job&)
{
    ASSIGN_OR_RETURN(const auto order, executionOrder(*graph));
    return findingsOf(movedNodes(order));
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job&)
{
    ASSIGN_OR_RETURN(const auto order, executionOrder(*graph));
    GraphEdit edit(graph);
    edit.countPlaces(movedNodes(order).size());
    for (const NodeId id : order)
        edit.moveTo(id, NodeId{0});
    return std::move(edit).finish();
}

} // namespace

const Pass passes::sortByExecutionOrder{
    .name = "sort_by_execution_order",
    .summary = "Sorts nodes so that each one follows its inputs.",
    .before = "y = Add(a, b)\n"
              "b = Const\n"
              "a = Const",
    .after = "b = Const\n"
             "a = Const\n"
             "y = Add(a, b)",
    .declines = "Cycles other than those of Merge, and missing inputs, are errors.",
    .find = find,
    .run = run,
    .repeats = true,
};

} // namespace lapidary
