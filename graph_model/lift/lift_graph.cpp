// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_graph.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_draft.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Return whether a node is an input or output of a function's body that the reader made. A file may
// contain operators with these names, any index and no input.
bool isArgument(const Node& node)
{
    return isFunctionArgument(node.op()) && node.isSynthetic();
}

bool isResult(const Node& node)
{
    return isFunctionResult(node.op()) && node.isSynthetic();
}

// Returns whether a node is not an operator: constants, inputs, and the inputs and outputs of a
// function's body.
bool isKept(const Node& node)
{
    return (node.op() == "Const" && node.hasAttr("value")) ||
           (node.op() == "Placeholder" && node.inputs().empty()) || isArgument(node) ||
           isResult(node);
}

// Returns the nodes with inputs before readers, which is usually the order of the file: the result
// of lifting an operator depends on the facts about its inputs.
std::vector<NodeId> orderOf(const Graph& graph)
{
    std::vector<NodeId> order;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        for (const Endpoint& from : graph.inputs(NodeId{i}))
            if (from.node.isValid() && from.node.value >= i)
                return topologicalOrder(graph);
        order.push_back(NodeId{i});
    }
    return order;
}

class GraphLifter {
public:
    using Shapes = std::span<const std::pair<std::string, Shape>>;

    GraphLifter(const Graph& graph, CodedOperators coded, Shapes shapes, const Job& job)
        : m_graph(&graph)
        , m_dialect(dialectOf(graph))
        , m_coded(coded)
        , m_shapes(shapes)
        , m_job(job)
        , m_functions(graph.functions(),
                      [this](const Function& function, const std::vector<TensorState>& arguments,
                             std::vector<TensorState>& results) {
                          return lift(*function.body, arguments, results);
                      })
    {
    }

    // Returns null if cancelled.
    GraphPtr lift(const Graph& graph)
    {
        std::vector<TensorState> none;
        LiftDraft draft(graph, m_coded, m_functions);
        if (!liftNodes(graph, draft, none, none) || !m_functions.liftRest())
            return nullptr;
        return std::move(draft).finish(m_functions.library());
    }

private:
    GraphPtr lift(const Graph& body, const std::vector<TensorState>& arguments,
                  std::vector<TensorState>& results)
    {
        LiftDraft draft(body, m_coded, m_functions);
        return liftNodes(body, draft, arguments, results) ? std::move(draft).finish(nullptr)
                                                          : nullptr;
    }

    bool liftNodes(const Graph& graph, LiftDraft& draft, const std::vector<TensorState>& arguments,
                   std::vector<TensorState>& results)
    {
        for (const NodeId id : orderOf(graph)) {
            if (m_job.cancelled())
                return false;
            draft.begin(id);
            const Node& node = draft.node();
            const auto index = std::size_t(node.attr("index").asInt().value_or(0));
            if (isArgument(node) && index < arguments.size()) {
                draft.keep(&arguments[index]);
            } else if (isResult(node)) {
                TensorState typed;
                typed.dtype = draft.state(0).dtype;
                draft.keep(&typed);
            } else if (isKept(node)) {
                draft.keep(nullptr, &graph == m_graph ? askedShape(node) : nullptr);
            } else if (m_functions.isFull() ||
                       !(m_dialect == Dialect::Tflite ? liftTflite(draft) : liftOnnx(draft))) {
                draft.refuse();
            }
            if (isResult(node) && index < graph.size()) {
                results.resize(std::max(results.size(), index + 1));
                results[index] = draft.state(0);
            }
        }
        return true;
    }

    // Returns the requested shape of an input that overrides its own; null if there is none.
    const Shape* askedShape(const Node& node) const
    {
        const auto isInput = [&](const auto& asked) {
            return parseInput(asked.first).node == node.name();
        };
        const auto found = std::ranges::find_if(m_shapes, isInput);
        return node.op() != "Placeholder" || found == m_shapes.end() ? nullptr : &found->second;
    }

    const Graph* m_graph;
    Dialect m_dialect;
    CodedOperators m_coded;
    Shapes m_shapes;
    const Job& m_job;
    LiftedFunctions m_functions;
};

} // namespace

Result<GraphPtr> liftGraph(const GraphPtr& graph, const Job& job, CodedOperators coded,
                           std::span<const std::pair<std::string, Shape>> shapes)
{
    if (dialectOf(*graph) == Dialect::TensorFlow)
        return graph;
    if (GraphPtr lifted = GraphLifter(*graph, coded, shapes, job).lift(*graph))
        return lifted;
    return cancelledError();
}

NodeId liftedFrom(const Graph& graph, std::string_view name)
{
    const NodeId own = graph.find(name);
    const std::size_t mark = name.rfind(liftedMark);
    if (own.isValid() || mark == std::string_view::npos)
        return own;
    const std::string_view number = name.substr(mark + liftedMark.size());
    const bool isStep = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
    return isStep ? graph.find(name.substr(0, mark)) : NodeId{};
}

} // namespace lapidary
