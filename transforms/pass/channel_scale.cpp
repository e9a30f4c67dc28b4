#include "transforms/pass/channel_scale.h"

#include "transforms/pass/const_node.h"

namespace lapidary {
namespace {

Error decline(const Node& node, const std::string& why)
{
    return {ErrorCode::InvalidArgument, std::string(node.name()) + " " + why};
}

} // namespace

Result<std::int64_t> outputChannels(const Node& conv, const Node& weights)
{
    const std::vector<std::int64_t> dims = constDims(weights);
    const bool isMatMul = conv.op() == "MatMul";
    if (dims.size() != (isMatMul ? 2U : 4U))
        return decline(weights, "has another rank than the weights of a " + std::string(conv.op()));
    if (isMatMul && conv.attr("transpose_b").asBool().value_or(false))
        return decline(conv, "reads its weights transposed");
    if (isMatMul)
        return dims[1];
    return conv.op() == "DepthwiseConv2dNative" ? dims[2] * dims[3] : dims[3];
}

Result<NodeDraft> scaledWeights(const Node& conv, const Node& weights,
                                std::span<const float> factors)
{
    const auto channels = outputChannels(conv, weights);
    if (!channels)
        return channels.error();
    if (channels.value() != std::int64_t(factors.size()))
        return decline(conv, "has " + std::to_string(channels.value()) +
                                 " output channels, but there are " +
                                 std::to_string(factors.size()) + " factors");
    auto values = floatValues(weights);
    if (!values)
        return decline(weights, values.error().message);
    std::size_t channel = 0;
    for (float& value : values.value()) {
        value *= factors[channel];
        channel = channel + 1 == factors.size() ? 0 : channel + 1;
    }
    NodeDraft draft = floatConst(std::string(weights.name()), constDims(weights), values.value());
    for (const Input& input : weights.inputs())
        draft.inputs.emplace_back(input.text);
    return draft;
}

} // namespace lapidary
