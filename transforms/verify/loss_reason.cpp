// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/loss_reason.h"

#include "transforms/layers/layer.h"

#include <algorithm>

namespace lapidary {
namespace {

// Above this, a classifier loses at most one answer in a hundred.
constexpr double goodDb = 30;

bool losesMuch(const Verification& verification)
{
    return std::ranges::any_of(verification.pairs, [](const VerifiedPair& pair) {
        return pair.isOutput && !pair.isWithin && !(pair.agreement.sqnrDb >= goodDb);
    });
}

bool isConst(const Graph& graph, const Endpoint& from)
{
    return from.node.isValid() && graph.node(from.node).op() == "Const";
}

// Returns whether 8-bit weights have one scale for all channels: for one scale per channel, a Mul
// follows them.
bool hasOneScale(const Graph& graph, NodeId product)
{
    const Endpoint weights = dataInput(graph, product, 1);
    if (!weights.node.isValid())
        return false;
    if (graph.node(weights.node).op() == "Dequantize")
        return graph.node(weights.node).attr("T").asType() == DType::QUInt8 &&
               isConst(graph, dataInput(graph, weights.node, 0));
    const std::string_view op = graph.node(product).op();
    if ((op != "QuantizedConv2D" && op != "QuantizedMatMul") || !isConst(graph, weights))
        return false;
    const auto readers = dataReaders(graph, product);
    return std::ranges::none_of(readers, [&](NodeId reader) {
        return graph.node(reader).op() == "Dequantize"; // to floats, which a Mul may scale
    });
}

std::string counted(std::size_t count, const char* what)
{
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

} // namespace

std::string lossReason(const Graph& quantized, const Verification& verification)
{
    if (!losesMuch(verification))
        return "";
    std::size_t depthwise = 0;
    std::size_t others = 0;
    for (std::uint32_t i = 0; i < quantized.size(); ++i) {
        const std::string_view op = quantized.node(NodeId{i}).op();
        const bool isProduct = isLayerOp(op) || op == "QuantizedConv2D" || op == "QuantizedMatMul";
        if (isProduct && hasOneScale(quantized, NodeId{i}))
            ++(op == "DepthwiseConv2dNative" ? depthwise : others);
    }
    if (depthwise + others == 0)
        return "";
    std::string layers = depthwise > 0 ? counted(depthwise, "depthwise layer") : "";
    if (others > 0)
        layers += depthwise > 0 ? " and " + counted(others, "other") : counted(others, "layer");
    return "per-tensor weights of " + layers + ": use arm-8bit-accurate";
}

} // namespace lapidary
