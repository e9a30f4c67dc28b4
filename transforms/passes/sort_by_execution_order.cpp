// SPDX-License-Identifier: Apache-2.0
// sort_by_execution_order
//
// Needs a graph without cycles but those of Merge and without missing inputs. O(nodes + edges).
#include "graph_model/summary/summary.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job&)
{
    ASSIGN_OR_RETURN(const auto order, executionOrder(*graph));
    GraphEdit edit(graph);
    for (const NodeId id : order)
        edit.moveTo(id, NodeId{0});
    return std::move(edit).finish();
}

} // namespace

const Pass passes::sortByExecutionOrder{
    .name = "sort_by_execution_order",
    .summary = "Puts every node behind the nodes that it reads.",
    .before = "y = Add(a, b)\n"
              "b = Const\n"
              "a = Const",
    .after = "b = Const\n"
             "a = Const\n"
             "y = Add(a, b)",
    .declines = "Cycles but those of Merge, and inputs that do not exist, are errors.",
    .run = run,
    .repeats = true,
};

} // namespace lapidary
