// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_graph.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/lift/lift_rows.h"

namespace lapidary {

Result<GraphPtr> liftGraph(const GraphPtr& graph, const Job& job)
{
    const Dialect dialect = dialectOf(*graph);
    if (dialect == Dialect::TensorFlow)
        return graph;
    LiftDraft draft(*graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (job.cancelled())
            return cancelledError();
        draft.begin(NodeId{i});
        const Node& node = draft.node();
        const bool isConstant = node.op() == "Const" && node.hasAttr("value");
        const bool isInput = node.op() == "Placeholder" && node.inputs().empty();
        if (isConstant || isInput)
            draft.keep();
        else if (!(dialect == Dialect::Tflite ? liftTflite(draft) : liftOnnx(draft)))
            draft.refuse();
    }
    return std::move(draft).finish();
}

} // namespace lapidary
