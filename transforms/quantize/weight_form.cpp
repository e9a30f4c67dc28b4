// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/weight_form.h"

#include "transforms/constants/const_node.h"
#include "transforms/match/glob.h"
#include "transforms/quantize/quantized_node.h"

#include <algorithm>

namespace lapidary {
namespace {

Error wrong(const std::string& what)
{
    return {ErrorCode::InvalidArgument, "quantize_weights: " + what};
}

// Returns the layer with these weights; its product is invalid if there is none.
Layer layerOf(const Graph& graph, NodeId constant)
{
    const std::vector<NodeId> readers = dataReaders(graph, constant);
    if (readers.size() != 1 || !isLayerOp(graph.node(readers[0]).op()))
        return {};
    const auto layer = layerAt(graph, readers[0]);
    return layer && layer->weights == constant ? *layer : Layer();
}

// Returns the shape in which factors of output channels can multiply weights.
Shape scaleShape(const Graph& graph, const Layer& layer)
{
    const std::vector<std::int64_t> dims = constDims(graph.node(layer.weights));
    if (graph.node(layer.product).op() == "DepthwiseConv2dNative")
        return {{dims[2], dims[3]}, false};
    return {{layer.outputs}, false};
}

// Adds the codes of a constant and its range, and returns a Dequantize of them.
NodeDraft addCodes(const Node& node, NodeId id, const WeightCodes& codes, const std::string& name,
                   Replacement& parts)
{
    const std::string stem(node.name());
    NodeDraft packed =
        constNode(stem + "_quantized_const", codes.dtype, {constDims(node), false}, codes.bytes);
    packed.device = node.device();
    for (const Input& input : node.inputs())
        packed.inputs.emplace_back(input.text);
    parts.add(std::move(packed), {id});
    parts.add(floatScalar(stem + "_quantized_min", codes.min), {id});
    parts.add(floatScalar(stem + "_quantized_max", codes.max), {id});
    NodeDraft unpack = dequantizeNode(
        name, {stem + "_quantized_const", stem + "_quantized_min", stem + "_quantized_max"});
    unpack.setAttr("T", attr::fromType(codes.dtype));
    unpack.device = node.device();
    return unpack;
}

void addChannelWeights(const Graph& graph, const Layer& layer, const ChannelCodes& codes,
                       Replacement& parts)
{
    const Node& node = graph.node(layer.weights);
    const std::string name(node.name());
    parts.add(addCodes(node, layer.weights, codes.codes, name + "_unscaled", parts),
              {layer.weights});
    NodeDraft scale = floatConst(scaleName(name), scaleShape(graph, layer).dims, codes.scale);
    scale.device = node.device();
    parts.add(std::move(scale), {layer.weights});
    NodeDraft product = newNode(name, "Mul", {name + "_unscaled", scaleName(name)});
    product.setAttr("T", attr::fromType(DType::Float));
    product.device = node.device();
    parts.change(layer.weights, std::move(product));
}

std::string ignoredReader(const Graph& graph, NodeId constant, const WeightForm& form)
{
    const auto fits = [](const std::vector<std::string>& globs, std::string_view text) {
        return std::ranges::any_of(globs,
                                   [&](const std::string& glob) { return fitsGlob(text, glob); });
    };
    const std::vector<NodeId> readers = dataReaders(graph, constant);
    if (!form.onlyNodes.empty() && std::ranges::none_of(readers, [&](NodeId reader) {
            return fits(form.onlyNodes, graph.node(reader).name());
        }))
        return "left in float: only_node names no reader of it";
    for (const NodeId reader : readers) {
        if (fits(form.ignoredNodes, graph.node(reader).name()))
            return "left in float: ignore_node names " + std::string(graph.node(reader).name());
        if (fits(form.ignoredOps, graph.node(reader).op()))
            return "left in float: ignore_op names " + std::string(graph.node(reader).op());
    }
    return "";
}

// Returns whether these are the factors of weights that are quantized already.
bool isScale(const Graph& graph, NodeId constant)
{
    const std::vector<NodeId> readers = dataReaders(graph, constant);
    if (readers.empty() || graph.node(readers[0]).op() != "Mul")
        return false;
    const NodeId scaled = dataInput(graph, readers[0], 0).node;
    return scaled.isValid() && graph.node(scaled).op() == "Dequantize" &&
           graph.node(constant).name().ends_with("_scale") && isFloatConst(graph, constant) &&
           scaled != constant;
}

} // namespace

bool WeightForm::isOriginal(std::int64_t elements) const
{
    constexpr int usual = 8;
    return !isPerChannel && !codes.shortensRange && codesOf(elements).bits == usual;
}

CodeOptions WeightForm::codesOf(std::int64_t elements) const
{
    constexpr int wide = 16;
    CodeOptions options = codes;
    if (widensSmall && elements < smallSize)
        options.bits = wide;
    return options;
}

Result<WeightForm> weightForm(const Parameters& parameters)
{
    WeightForm form;
    ASSIGN_OR_RETURN(form.isPerChannel, parameters.oneBool("per_channel", false));
    ASSIGN_OR_RETURN(const std::string range, parameters.oneString("range", "minmax"));
    ASSIGN_OR_RETURN(form.codes.bits, parameters.oneInt32("num_bits", 8));
    ASSIGN_OR_RETURN(const std::int32_t small, parameters.oneInt32("small_bits", 8));
    ASSIGN_OR_RETURN(form.smallSize, parameters.oneInt32("small_size", 10000));
    if (range != "minmax" && range != "mse")
        return wrong("range is minmax or mse, not '" + range + "'");
    if (form.codes.bits < 2 || form.codes.bits > 8)
        return wrong("num_bits is from 2 to 8, not " + std::to_string(form.codes.bits));
    if (small != 8 && small != 16)
        return wrong("small_bits is 8 or 16, not " + std::to_string(small));
    form.codes.shortensRange = range == "mse";
    form.widensSmall = small == 16;
    form.onlyNodes = parameters.all("only_node");
    form.ignoredNodes = parameters.all("ignore_node");
    form.ignoredOps = parameters.all("ignore_op");
    return form;
}

std::string leftInFloat(const Graph& graph, NodeId constant, const WeightForm& form)
{
    if (isScale(graph, constant))
        return "it scales weights that are quantized";
    return ignoredReader(graph, constant, form);
}

Status addWeights(const Graph& graph, NodeId constant, const WeightForm& form, Replacement& parts)
{
    const Node& node = graph.node(constant);
    const auto values = floatValues(node);
    if (!values)
        return Error{ErrorCode::InvalidArgument, values.error().message};
    const CodeOptions options = form.codesOf(std::int64_t(values->size()));
    Layer layer = form.isPerChannel ? layerOf(graph, constant) : Layer();
    layer.bias = {}; // not needed here
    if (layer.product.isValid()) {
        ASSIGN_OR_RETURN(const LayerWeights weights, readWeights(graph, layer));
        addChannelWeights(graph, layer, channelCodes(weights, options), parts);
        return Done{};
    }
    parts.change(constant, addCodes(node, constant, weightCodes(*values, options),
                                    std::string(node.name()), parts));
    return Done{};
}

std::string scaleName(std::string_view weights)
{
    return std::string(weights) + "_scale";
}

} // namespace lapidary
