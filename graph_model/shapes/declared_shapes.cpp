// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/declared_shapes.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/tensor_layout.h"

#include <algorithm>

namespace lapidary {
namespace {

// Longer chains of Identity nodes do not occur in real graphs, and cycles only in broken ones.
constexpr int maxHops = 1000;
// Up to this graph version an attribute `shape` without sizes meant an unknown shape.
constexpr std::int32_t lastVersionOfShapelessPlaceholders = 21;

std::optional<Shape> validPartial(std::optional<Shape> shape)
{
    if (!shape || shape->unknownRank || !partialShapeFault(*shape).empty())
        return std::nullopt;
    return shape;
}

// Returns the declared shapes of all outputs: `output_shapes` of ops that read examples, or those
// that the last import left at any node.
std::optional<std::vector<Shape>> outputShapesAttr(const Node& node)
{
    AttrValue value = node.attr("_output_shapes");
    if (value.kind() != AttrKind::List && isPipelineOp(node.op()))
        value = node.attr("output_shapes");
    if (value.kind() != AttrKind::List)
        return std::nullopt;
    return value.shapes();
}

std::optional<Shape> outputShapesAttr(const Node& node, std::int32_t port)
{
    auto shapes = outputShapesAttr(node);
    if (!shapes || std::size_t(port) >= shapes->size())
        return std::nullopt;
    return validPartial(std::move((*shapes)[std::size_t(port)]));
}

// Reads only the shape of a TensorProto and skips its values.
std::optional<Shape> tensorShape(const AttrValue& value)
{
    const auto proto = value.asTensorProto();
    if (!proto)
        return std::nullopt;
    Shape shape = tensorProtoShape(*proto);
    if (!fullShapeFault(shape).empty())
        return std::nullopt;
    return shape;
}

std::optional<Shape> shapeAttr(const Graph& graph, const Node& node)
{
    std::optional<Shape> shape = validPartial(node.attr("shape").asShape());
    if (!shape || !shape->dims.empty())
        return shape;
    const bool isOldPlaceholder = node.op() == "Placeholder" &&
                                  graph.versions().producer <= lastVersionOfShapelessPlaceholders;
    return isOldPlaceholder || node.op() == "Variable" ? std::nullopt : shape;
}

// Returns the shape of an output that attributes of the node declare.
std::optional<Shape> ownShape(const Graph& graph, const Node& node, std::int32_t port)
{
    if (auto shape = outputShapesAttr(node, port))
        return shape;
    if (port != 0)
        return std::nullopt;
    const std::string_view op = node.op();
    if (holdsValue(op))
        return tensorShape(node.attr("value"));
    if (isVariableHandle(op)) // that of the handle; `shape` is that of the variable
        return Shape{};
    if (isPlaceholder(op) || isVariable(op) || isFunctionArgument(op) || op == "ImmutableConst" ||
        op == "EnsureShape")
        return shapeAttr(graph, node);
    return std::nullopt;
}

DType ownDtype(const Graph& graph, const Node& node, std::int32_t port)
{
    if (const OpSpec* spec = findOp(node.op()))
        return outputDtype(node, *spec, port);
    if (isPipelineOp(node.op())) { // in another version of TensorFlow
        const std::vector<DType> types = node.attr("output_types").types();
        return std::size_t(port) < types.size() ? types[std::size_t(port)] : DType::Invalid;
    }
    const FunctionPtr function =
        graph.functions() ? graph.functions()->find(node.op()) : FunctionPtr();
    if (!function || std::size_t(port) >= function->results.size())
        return DType::Invalid;
    return function->results[std::size_t(port)].dtype;
}

// Returns the first data input, or for IdentityN the input of the same number.
Endpoint passedThrough(const Graph& graph, Endpoint tensor)
{
    const Node& node = graph.node(tensor.node);
    const bool isMany = passesEachInputOn(node.op());
    if (!isMany && !passesInputOn(node.op()) && !isSwitch(node.op()))
        return {};
    std::int32_t wanted = isMany ? tensor.port : 0;
    for (const Endpoint& from : graph.inputs(tensor.node)) {
        if (from.isControl())
            continue;
        if (wanted-- == 0)
            return from;
    }
    return {};
}

// Returns the variable of a resource; invalid if it is passed by other means.
NodeId variableBehind(const Graph& graph, NodeId reader)
{
    const auto inputs = graph.inputs(reader);
    Endpoint at = inputs.empty() || inputs[0].isControl() ? Endpoint() : inputs[0];
    for (int hop = 0; hop < maxHops && at.node.isValid(); ++hop) {
        if (isVariableHandle(graph.node(at.node).op()))
            return at.node;
        at = passedThrough(graph, at);
    }
    return {};
}

} // namespace

std::vector<TensorFacts> storedFacts(const Node& node)
{
    std::vector<Shape> shapes = outputShapesAttr(node).value_or(std::vector<Shape>());
    const std::vector<DType> types = node.attr("_output_types").types();
    std::vector<TensorFacts> all(std::max({shapes.size(), types.size(), std::size_t(1)}));
    for (std::size_t port = 0; port < shapes.size(); ++port)
        all[port].shape = validPartial(std::move(shapes[port]));
    for (std::size_t port = 0; port < types.size(); ++port)
        all[port].dtype = types[port];
    if (node.op() == "Const") {
        all[0].dtype = node.attr("dtype").asType().value_or(DType::Invalid);
        if (!all[0].shape)
            all[0].shape = tensorShape(node.attr("value"));
    }
    return all;
}

TensorFacts declaredFacts(const Graph& graph, Endpoint tensor)
{
    TensorFacts facts;
    if (!tensor.node.isValid() || tensor.isControl())
        return facts;
    if (dialectOf(graph) != Dialect::TensorFlow) {
        std::vector<TensorFacts> all = storedFacts(graph.node(tensor.node));
        return std::size_t(tensor.port) < all.size() ? std::move(all[std::size_t(tensor.port)])
                                                     : TensorFacts();
    }
    facts.dtype = withoutReference(ownDtype(graph, graph.node(tensor.node), tensor.port));
    for (int hop = 0; hop < maxHops && tensor.node.isValid() && !tensor.isControl(); ++hop) {
        const Node& node = graph.node(tensor.node);
        facts.shape = ownShape(graph, node, tensor.port);
        if (facts.dtype == DType::Invalid)
            facts.dtype = withoutReference(ownDtype(graph, node, tensor.port));
        if (!facts.shape && isVariableRead(node.op()))
            if (const NodeId variable = variableBehind(graph, tensor.node); variable.isValid())
                facts.shape = validPartial(graph.node(variable).attr("shape").asShape());
        if (facts.shape)
            break;
        tensor = passedThrough(graph, tensor);
    }
    return facts;
}

} // namespace lapidary
