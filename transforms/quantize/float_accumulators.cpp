// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv2D(x, w), w = Dequantize(codes, min, max), or a Mul of that and its scales
//   after:   y = Dequantize(QuantizedConv2D(QuantizeV2(x), codes)), or a Mul of that and the scales
//
// Dequantize of 32 bits is exact: the range of the sums is that of all their codes, so that it
// multiplies by one step and adds nothing. Only x is rounded. The scales of output channels move
// from the weights to the products.
#include "transforms/constants/const_node.h"
#include "transforms/layers/layer.h"
#include "transforms/match/glob.h"
#include "transforms/match/replacement.h"
#include "transforms/quantize/measured_codes.h"
#include "transforms/quantize/quantize_steps.h"
#include "transforms/quantize/quantized_node.h"
#include "transforms/quantize/quantized_op.h"

#include <algorithm>

namespace lapidary {
namespace {

// The stored form of a layer's weights.
struct StoredWeights {
    NodeId unpack; // Dequantize
    NodeId scale;  // a vector of factors of output channels; invalid: none
};

constexpr const char* notBytes =
    "its weights are not 8-bit: run quantize_weights first, or lower minimum_size";

bool isVector(const Graph& graph, NodeId id)
{
    return isFloatConst(graph, id) && constDims(graph.node(id)).size() == 1;
}

Result<StoredWeights> storedWeights(const Graph& graph, NodeId product)
{
    const Error no{ErrorCode::InvalidArgument, notBytes};
    StoredWeights stored{dataInput(graph, product, 1).node, {}};
    if (stored.unpack.isValid() && graph.node(stored.unpack).op() == "Mul") {
        stored.scale = dataInput(graph, stored.unpack, 1).node;
        stored.unpack = dataInput(graph, stored.unpack, 0).node;
        if (!stored.scale.isValid() || !isVector(graph, stored.scale))
            return no;
    }
    if (!stored.unpack.isValid() || graph.node(stored.unpack).op() != "Dequantize")
        return no;
    const Node& unpack = graph.node(stored.unpack);
    if (unpack.attr("T").asType() != DType::QUInt8 ||
        unpack.attr("mode").asString().value_or("") != "MIN_FIRST")
        return no;
    for (std::size_t k = 0; k < 3; ++k)
        if (const NodeId part = dataInput(graph, stored.unpack, k).node;
            !part.isValid() || graph.node(part).op() != "Const")
            return no;
    return stored;
}

// Returns why the layer stays in float; empty if it does not.
std::string declined(const Graph& graph, NodeId id, const QuantizeOptions& options)
{
    const Node& node = graph.node(id);
    if (node.op() == "DepthwiseConv2dNative")
        return "it has no 8-bit op: it stays in float with 8-bit weights";
    if (options.ignoredOps.contains(node.op()))
        return "left in float: ignore_op";
    if (std::ranges::any_of(options.ignoredNodes,
                            [&](const std::string& glob) { return fitsGlob(node.name(), glob); }))
        return "left in float: ignore_node";
    if (std::string why = quantizeFault(graph, id, *findQuantizedOp(node.op())); !why.empty())
        return why;
    if (node.op() == "MatMul" && (node.attr("transpose_a").asBool().value_or(false) ||
                                  node.attr("transpose_b").asBool().value_or(false)))
        return "it reads an operand transposed";
    return "";
}

void addProduct(const Graph& graph, NodeId id, const StoredWeights& stored,
                std::span<const std::string> fed, Replacement& parts)
{
    const Node& node = graph.node(id);
    const QuantizedOp& op = *findQuantizedOp(node.op());
    const std::string name(node.name());
    const std::string stem = codesStem(name, node.inputs()[0]);
    for (NodeDraft& draft : measuredCodes(stem, node.inputs()[0], fed))
        parts.add(std::move(draft), {id});
    const auto text = [&](std::size_t k) {
        return std::string(graph.node(stored.unpack).inputs()[k].text);
    };
    NodeDraft product = newNode(name + "/eightbit", op.quantizedOp,
                                {stem + "/quantize:0", text(0), stem + "/quantize:1",
                                 stem + "/quantize:2", text(1), text(2)});
    for (const Input& input : node.inputs())
        if (input.isControl())
            product.inputs.emplace_back(input.text);
    for (const std::string_view attr : op.copiedAttrs)
        copyAttr(node, attr, product);
    for (const std::string_view attr : op.byteAttrs)
        product.setAttr(attr, attr::fromType(DType::QUInt8));
    product.setAttr(op.wordAttr, attr::fromType(DType::QInt32));
    product.device = node.device();
    parts.add(std::move(product), {id});
    NodeDraft unpack = dequantizeNode(stored.scale.isValid() ? name + "/unscaled" : name,
                                      threeOutputs(name + "/eightbit"));
    unpack.setAttr("T", attr::fromType(DType::QInt32));
    unpack.device = node.device();
    if (!stored.scale.isValid())
        return parts.change(id, std::move(unpack));
    parts.add(std::move(unpack), {id});
    NodeDraft scaled =
        newNode(name, "Mul", {name + "/unscaled", std::string(graph.node(stored.scale).name())});
    scaled.setAttr("T", attr::fromType(DType::Float));
    scaled.device = node.device();
    parts.change(id, std::move(scaled));
}

} // namespace

Result<EditResult> quantizeProducts(const GraphPtr& graph, const PassArgs& args,
                                    const QuantizeOptions& options, const Job& job,
                                    Findings* findings)
{
    ReplaceOptions replace{{"Conv2D|DepthwiseConv2dNative|MatMul", {}}, {}, "computed in 8 bits"};
    replace.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) -> Rewritten {
        if (std::string why = declined(g, match.node, options); !why.empty())
            return Declined{std::move(why)};
        const auto stored = storedWeights(g, match.node);
        if (!stored)
            return Declined{stored.error().message};
        addProduct(g, match.node, *stored, args.inputs, parts);
        return Done{};
    };
    return replaceMatches(graph, args, replace, job, findings);
}

} // namespace lapidary
