// SPDX-License-Identifier: Apache-2.0
#include "transforms/fold/import_check.h"

#include "graph_model/check/check_context.h"
#include "runner/execute/exec_graph.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether TensorFlow imports a graph despite a problem that a checker reports as an error.
// Shapes are inferred again, by better rules.
bool isTolerated(const Problem& problem)
{
    return problem.kind == "version" || problem.kind == "shape_mismatch";
}

bool isRefused(const Problem& problem, bool isLenient)
{
    if (problem.kind == "odd_name" && isLenient)
        return false;
    if (problem.kind == "unknown_attr")
        return problem.severity == Severity::Warning;
    return problem.severity == Severity::Error && !isTolerated(problem);
}

// Returns an error for a node whose _output_shapes have fewer shapes than it has outputs; else an
// empty string.
std::string tooFewShapes(const Graph& graph)
{
    for (const NodePtr& node : graph.nodes()) {
        if (!node->hasAttr("_output_shapes"))
            continue;
        const std::size_t shapes = node->attr("_output_shapes").shapes().size();
        const std::size_t outputs = outputCount(*node, graph.functions());
        if (shapes < outputs)
            return std::string(node->name()) + ": it has " + std::to_string(outputs) +
                   " outputs, but its attribute _output_shapes holds " + std::to_string(shapes) +
                   " shapes";
    }
    return "";
}

} // namespace

Result<InferredShapes> importShapes(const Graph& graph, const ShapeOptions& options, bool isLenient,
                                    const Job& job)
{
    ProblemList list;
    OpTable ops(graph.functions());
    checkNodes(graph, ops, {"", graph.versions().producer, false}, list, job);
    if (job.cancelled())
        return cancelledError();
    const Problems problems = std::move(list).take();
    const auto refused = std::ranges::find_if(
        problems, [&](const Problem& problem) { return isRefused(problem, isLenient); });
    if (refused != problems.end())
        return Error{ErrorCode::InvalidArgument, refused->node + ": " + refused->message};
    if (std::string fault = options.trustsOutputShapes ? tooFewShapes(graph) : ""; !fault.empty())
        return Error{ErrorCode::InvalidArgument, std::move(fault)};
    auto shapes = inferShapes(graph, options, job);
    if (!shapes || isLenient || shapes.value().conflicts().empty())
        return shapes;
    const ShapeConflict& conflict = shapes.value().conflicts().front();
    return Error{ErrorCode::InvalidArgument,
                 std::string(graph.node(conflict.node).name()) + ": " + conflict.message};
}

} // namespace lapidary
