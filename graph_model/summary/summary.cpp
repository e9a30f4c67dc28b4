// SPDX-License-Identifier: Apache-2.0
#include "graph_model/summary/summary.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/summary/input_name.h"

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

bool isOneOf(std::string_view op, std::initializer_list<std::string_view> ops)
{
    return std::ranges::find(ops, op) != ops.end();
}

SummaryItem itemOf(NodeId id, const Node& node)
{
    SummaryItem item{id, std::string(node.name()), DType::Invalid, "None"};
    if (const auto dtype = node.attr("dtype").asType())
        item.dtype = *dtype;
    if (node.hasAttr("shape")) {
        const Shape shape = node.attr("shape").asShape().value_or(Shape{});
        const std::string fault = partialShapeFault(shape);
        item.shapeText = fault.empty() ? shapeText(shape) : fault;
    }
    return item;
}

void addWrapping(std::int64_t& sum, std::int64_t count)
{
    sum = std::int64_t(std::uint64_t(sum) + std::uint64_t(count));
}

// Returns the element count of the shape attribute of a variable; nothing if a size is unknown.
std::int64_t declaredElements(const Node& node)
{
    const auto shape = node.attr("shape").asShape();
    if (!shape || shape->unknownRank || !fullShapeFault(*shape).empty())
        return 0;
    return elementCount(*shape).value_or(0);
}

void addNode(Summary& summary, NodeId id, const Node& node)
{
    ++summary.ops[std::string(node.op())];
    if (!node.device().empty())
        ++summary.devices[std::string(node.device())];
    for (const Input& input : node.inputs())
        summary.controlEdges += input.text.starts_with('^') ? 1 : 0;
    if (node.op() == "Placeholder")
        summary.inputs.push_back(itemOf(id, node));
    if (isReferenceVariable(node.op()))
        summary.variables.push_back(itemOf(id, node));
    if (isStoredVariable(node.op())) {
        summary.stored.push_back(itemOf(id, node));
        addWrapping(summary.variableParameters, declaredElements(node));
    }
    if (node.op() == "Const")
        if (const auto tensor = node.tensor())
            addWrapping(summary.constParameters, tensor->elements());
}

} // namespace

Summary summarize(const Graph& graph)
{
    Summary summary;
    std::unordered_set<std::string_view> read;
    for (const NodePtr& node : graph.nodes())
        for (const Input& input : node->inputs())
            read.insert(nodeNameOfInput(input.text));
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        addNode(summary, NodeId{i}, node);
        if (read.count(node.name()) == 0 &&
            !isOneOf(node.op(), {"Const", "Assign", "NoOp", "Placeholder"}))
            summary.outputs.push_back(NodeId{i});
    }
    if (graph.functions() != nullptr)
        for (const FunctionPtr& function : graph.functions()->functions)
            for (const NodePtr& node : function->body->nodes())
                if (!node->isSynthetic())
                    ++summary.ops[std::string(node->op())];
    return summary;
}

} // namespace lapidary
