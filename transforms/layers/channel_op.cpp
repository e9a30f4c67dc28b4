// SPDX-License-Identifier: Apache-2.0
#include "transforms/layers/channel_op.h"

#include "transforms/constants/const_node.h"
#include "transforms/layers/layer.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

using Kind = ChannelOp::Kind;

Error mixing(const Node& node)
{
    return {ErrorCode::InvalidArgument, std::string(node.name()) + " (" + std::string(node.op()) +
                                            ") does not keep channels apart"};
}

bool isPlainFloat(const Node& node)
{
    return node.attr("T").asType().value_or(DType::Float) == DType::Float &&
           node.attr("data_format").asString().value_or("NHWC") == "NHWC";
}

// Returns whether these are rows and columns of images, the two axes that are neither the batch nor
// the channels.
bool areRowsAndColumns(const std::vector<std::int64_t>& axes)
{
    return !axes.empty() && std::ranges::all_of(axes, [](std::int64_t axis) {
        return axis == 1 || axis == 2 || axis == -2 || axis == -3;
    });
}

std::vector<std::int64_t> constInts(const Graph& graph, const Endpoint& from)
{
    if (!from.node.isValid() || graph.node(from.node).op() != "Const")
        return {};
    const auto read = intValues(graph.node(from.node));
    return read ? std::vector<std::int64_t>(read->begin(), read->end())
                : std::vector<std::int64_t>();
}

bool poolsRowsAndColumns(const Node& node)
{
    const std::vector<std::int64_t> window = node.attr("ksize").ints();
    const std::vector<std::int64_t> strides = node.attr("strides").ints();
    return window.size() == 4 && strides.size() == 4 && window[3] == 1 && strides[3] == 1;
}

bool padsNoChannels(const Graph& graph, NodeId id)
{
    const std::vector<std::int64_t> paddings = constInts(graph, dataInput(graph, id, 1));
    return paddings.size() == 8 && paddings[6] == 0 && paddings[7] == 0;
}

// Reads a Minimum or Maximum of a tensor and a constant.
Result<ChannelOp> limited(const Graph& graph, NodeId id, Kind kind, bool isFlat)
{
    const Endpoint first = dataInput(graph, id, 0);
    const Endpoint second = dataInput(graph, id, 1);
    if (!first.node.isValid() || !second.node.isValid())
        return mixing(graph.node(id));
    const bool isFirst = isFloatConst(graph, first.node);
    const NodeId limits = isFirst ? first.node : second.node;
    if (!isFloatConst(graph, limits) || constDims(graph.node(limits)).size() > 1)
        return mixing(graph.node(id));
    return ChannelOp{kind, isFirst ? second.node : first.node, isFlat, limits};
}

// Reads an op of images that treats rows and columns in the same way for every channel.
Result<ChannelOp> ofImages(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    const std::string_view op = node.op();
    const NodeId tensor = dataInput(graph, id, 0).node;
    if ((op == "MaxPool" || op == "AvgPool") && poolsRowsAndColumns(node))
        return ChannelOp{Kind::Copies, tensor, false, {}};
    if ((op == "Pad" || op == "MirrorPad") && padsNoChannels(graph, id))
        return ChannelOp{op == "Pad" ? Kind::Pads : Kind::Copies, tensor, false, {}};
    if (op == "Mean" && areRowsAndColumns(constInts(graph, dataInput(graph, id, 1))))
        return ChannelOp{
            Kind::Copies, tensor, !node.attr("keep_dims").asBool().value_or(false), {}};
    if (op == "Squeeze" && areRowsAndColumns(node.attr("squeeze_dims").ints()))
        return ChannelOp{Kind::Copies, tensor, true, {}};
    return mixing(node);
}

} // namespace

Result<ChannelOp> channelOpAt(const Graph& graph, NodeId id, bool isFlat)
{
    const Node& node = graph.node(id);
    const std::string_view op = node.op();
    const Endpoint from = dataInput(graph, id, 0);
    if (!isPlainFloat(node) || !from.node.isValid() || from.port != 0)
        return mixing(node);
    if (op == "Identity" || op == "Reshape")
        return ChannelOp{Kind::Copies, from.node, isFlat || op == "Reshape", {}};
    if (op == "Relu" || op == "Relu6" || op == "LeakyRelu")
        return ChannelOp{op == "Relu"    ? Kind::Relu
                         : op == "Relu6" ? Kind::Relu6
                                         : Kind::LeakyRelu,
                         from.node,
                         isFlat,
                         {}};
    if (op == "Minimum" || op == "Maximum")
        return limited(graph, id, op == "Minimum" ? Kind::Minimum : Kind::Maximum, isFlat);
    if (isFlat)
        return mixing(node);
    return ofImages(graph, id);
}

float leakOf(const Node& node)
{
    constexpr float usual = 0.2F;
    return node.attr("alpha").asFloat().value_or(usual);
}

} // namespace lapidary
