// sort_by_execution_order
//
//   before:  add(a, b), b, a        after:  a, b, add(a, b)
//
// Needs a graph without cycles but those of Merge and without missing inputs. O(nodes + edges).
#include "graph_model/summary/summary.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job&)
{
    const auto order = executionOrder(*graph);
    if (!order)
        return order.error();
    GraphEdit edit(graph);
    for (const NodeId id : order.value())
        edit.moveTo(id, NodeId{0});
    return std::move(edit).finish();
}

} // namespace

const Pass passes::sortByExecutionOrder{
    .name = "sort_by_execution_order",
    .summary = "Puts every node behind the nodes that it reads.",
    .run = run,
    .repeats = true,
};

} // namespace lapidary
