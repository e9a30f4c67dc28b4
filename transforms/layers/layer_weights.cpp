// SPDX-License-Identifier: Apache-2.0
#include "transforms/layers/layer_weights.h"

#include "runner/threads/flush_denormals.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

Result<std::vector<float>> finiteValues(const Node& node)
{
    auto values = floatValues(node);
    if (!values)
        return Error{ErrorCode::InvalidArgument,
                     std::string(node.name()) + " " + values.error().message};
    if (!std::ranges::all_of(*values, [](float value) { return std::isfinite(value); }))
        return Error{ErrorCode::InvalidArgument,
                     std::string(node.name()) + " holds NaN or infinity"};
    return values;
}

} // namespace

std::vector<double> LayerWeights::largestByOutput() const
{
    std::vector<double> largest(outputs);
    for (std::size_t row = 0; row < values.size(); row += outputs)
        for (std::size_t k = 0; k < outputs; ++k)
            largest[k] = std::max(largest[k], std::abs(double(values[row + k])));
    return largest;
}

std::vector<double> LayerWeights::largestByInput() const
{
    std::vector<double> largest(inputs);
    for (std::size_t i = 0; i < values.size(); ++i)
        largest[inputOf(i)] = std::max(largest[inputOf(i)], std::abs(double(values[i])));
    return largest;
}

std::vector<double> LayerWeights::sumsOfInput(std::size_t input) const
{
    std::vector<double> sums(outputs);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (inputOf(i) == input)
            sums[outputOf(i)] += double(values[i]);
    return sums;
}

Result<LayerWeights> readWeights(const Graph& graph, const Layer& layer)
{
    const KeepDenormals keep;
    LayerWeights weights;
    ASSIGN_OR_RETURN(weights.values, finiteValues(graph.node(layer.weights)));
    if (layer.bias.isValid()) {
        ASSIGN_OR_RETURN(weights.bias, finiteValues(graph.node(layer.bias)));
    }
    weights.inputs = std::size_t(layer.inputs);
    weights.outputs = std::size_t(layer.outputs);
    // A depthwise convolution makes `multiplier` channels from each one that it reads.
    weights.inner = graph.node(layer.product).op() == "DepthwiseConv2dNative"
                        ? weights.outputs / weights.inputs
                        : weights.outputs;
    return weights;
}

NodeDraft withValues(const Node& node, std::span<const float> values)
{
    NodeDraft draft = NodeDraft::of(node);
    draft.setAttr("value", floatConst("", constDims(node), values).attrs.back().second);
    return draft;
}

} // namespace lapidary
