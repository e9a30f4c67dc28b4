// SPDX-License-Identifier: Apache-2.0
#include "transforms/layers/layer.h"

#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/convolution/channel_scale.h"

#include <algorithm>

namespace lapidary {
namespace {

Error declineLayer(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

std::string nameOf(const Graph& graph, NodeId id)
{
    return std::string(graph.node(id).name());
}

// Returns why a node is no layer: it must have its channels last and compute in floats. Empty if it
// does.
std::string formFault(const Node& node)
{
    if (node.attr("T").asType().value_or(DType::Float) != DType::Float)
        return "it does not compute in floats";
    if (node.attr("data_format").asString().value_or("NHWC") != "NHWC")
        return "it is channels-first";
    if (node.attr("transpose_a").asBool().value_or(false))
        return "it reads its input transposed";
    return "";
}

Result<NodeId> weightsOf(const Graph& graph, NodeId product)
{
    const Endpoint from = dataInput(graph, product, 1);
    if (!from.node.isValid() || graph.node(from.node).op() != "Const")
        return declineLayer("its weights are not constant");
    if (!isFloatConst(graph, from.node))
        return declineLayer("its weights are not float");
    for (const Consumer& reader : graph.consumers(from.node))
        if (!reader.isControl() && (reader.node != product || reader.slot != 1))
            return declineLayer("its weights " + nameOf(graph, from.node) + " are also read by " +
                                nameOf(graph, reader.node));
    return from.node;
}

bool addsVector(std::string_view op)
{
    return op == "BiasAdd" || isAddition(op);
}

// Finds the vector that is added to a product without other readers. Returns the adding node and
// the vector.
std::pair<NodeId, NodeId> biasOf(const Graph& graph, NodeId product, std::int64_t outputs)
{
    const std::vector<NodeId> readers = dataReaders(graph, product);
    if (readers.size() != 1 || !addsVector(graph.node(readers[0]).op()) ||
        !formFault(graph.node(readers[0])).empty())
        return {};
    const Endpoint first = dataInput(graph, readers[0], 0);
    const Endpoint second = dataInput(graph, readers[0], 1);
    const NodeId bias = first.node == product ? second.node : first.node;
    if (first.node == second.node || !bias.isValid() || !isFloatConst(graph, bias) ||
        dataReaders(graph, bias).size() != 1 || constDims(graph.node(bias)) != std::vector{outputs})
        return {};
    return {readers[0], bias};
}

} // namespace

bool isLayerOp(std::string_view op)
{
    return op == "Conv2D" || op == "DepthwiseConv2dNative" || op == "MatMul";
}

Result<Layer> layerAt(const Graph& graph, NodeId product)
{
    const Node& node = graph.node(product);
    if (!isLayerOp(node.op()))
        return declineLayer(std::string(node.op()) + " has no weights with output channels");
    if (std::string why = formFault(node); !why.empty())
        return declineLayer(std::move(why));
    ASSIGN_OR_RETURN(const NodeId weights, weightsOf(graph, product));
    const auto outputs = outputChannels(node, graph.node(weights));
    RETURN_IF_ERROR(outputs);
    Layer layer;
    layer.product = product;
    layer.weights = weights;
    layer.outputs = *outputs;
    const std::vector<std::int64_t> dims = constDims(graph.node(weights));
    layer.inputs = node.op() == "MatMul" ? dims[0] : dims[2];
    if (layer.inputs <= 0 || layer.outputs <= 0)
        return declineLayer("its weights are empty");
    std::tie(layer.sum, layer.bias) = biasOf(graph, product, layer.outputs);
    return layer;
}

std::vector<Layer> layersOf(const Graph& graph)
{
    std::vector<Layer> layers;
    for (const NodeId id : topologicalOrder(graph))
        if (isLayerOp(graph.node(id).op()))
            if (auto layer = layerAt(graph, id))
                layers.push_back(*layer);
    return layers;
}

std::vector<NodeId> dataReaders(const Graph& graph, NodeId id)
{
    std::vector<NodeId> readers;
    for (const Consumer& consumer : graph.consumers(id))
        if (!consumer.isControl() && (readers.empty() || readers.back() != consumer.node))
            readers.push_back(consumer.node);
    return readers;
}

Endpoint dataInput(const Graph& graph, NodeId id, std::size_t k)
{
    for (const Endpoint& from : graph.inputs(id))
        if (!from.isControl() && k-- == 0)
            return from;
    return {};
}

bool isFloatConst(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    return node.op() == "Const" && node.attr("dtype").asType() == DType::Float;
}

} // namespace lapidary
