// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_graph.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

// What is not an operator: constants, inputs, and the ends of a function's body.
bool isKept(const Node& node)
{
    return (node.op() == "Const" && node.hasAttr("value")) ||
           (node.op() == "Placeholder" && node.inputs().empty()) || isFunctionArgument(node.op()) ||
           isFunctionResult(node.op());
}

// All nodes of a graph; the draft is to be finished.
Status liftNodes(const Graph& graph, Dialect dialect, LiftDraft& draft, const Job& job)
{
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (job.cancelled())
            return cancelledError();
        draft.begin(NodeId{i});
        if (isKept(draft.node()))
            draft.keep();
        else if (!(dialect == Dialect::Tflite ? liftTflite(draft) : liftOnnx(draft)))
            draft.refuse();
    }
    return Done{};
}

} // namespace

Result<GraphPtr> liftGraph(const GraphPtr& graph, const Job& job)
{
    const Dialect dialect = dialectOf(*graph);
    if (dialect == Dialect::TensorFlow)
        return graph;
    LiftedFunctions functions(graph->functions());
    if (graph->functions() != nullptr)
        for (const FunctionPtr& function : graph->functions()->functions) {
            LiftDraft draft(*function->body, functions);
            RETURN_IF_ERROR(liftNodes(*function->body, dialect, draft, job));
            functions.add(*function, std::move(draft).finish(nullptr));
        }
    LiftDraft draft(*graph, functions);
    RETURN_IF_ERROR(liftNodes(*graph, dialect, draft, job));
    return std::move(draft).finish(functions.library());
}

} // namespace lapidary
