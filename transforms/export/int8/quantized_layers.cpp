// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/int8/quantized_layers.h"

#include "graph_model/base/clamped_cast.h"
#include "transforms/export/base/stored_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

constexpr double largestBias = 2147483647.0;

std::vector<double> biasesOf(const PortableModel& model, TensorIndex bias, std::size_t channels)
{
    std::vector<double> values(channels, 0);
    if (bias != noTensor)
        std::ranges::copy(floatsOf(model.at(bias)), values.begin());
    return values;
}

std::size_t channelsOf(const PortableOperation& layer, const PortableTensor& weights)
{
    const auto last = std::size_t(weights.dims.back());
    if (layer.kind == PortableKind::DepthwiseConv2D)
        return last * std::size_t(weights.dims[2]);
    return layer.kind == PortableKind::TransposeConv ? std::size_t(weights.dims[2]) : last;
}

PortableTensor biasTensor(const std::string& name, const std::vector<double>& values,
                          const PortableScales& weights, float inputScale)
{
    PortableTensor bias;
    bias.name = name;
    bias.dtype = DType::Int32;
    bias.dims = {std::int64_t(values.size())};
    bias.isConstant = true;
    for (const float scale : weights.scales)
        bias.quantized.scales.push_back(scale * inputScale);
    bias.quantized.zeros.assign(bias.quantized.scales.size(), 0);
    std::vector<std::int32_t> codes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& scales = bias.quantized.scales;
        const double scale = double(scales[scales.size() > 1 ? i : 0]);
        codes.push_back(clampedTo<std::int32_t>(
            std::clamp(std::round(values[i] / scale), -largestBias, largestBias)));
    }
    std::string bytes(codes.size() * sizeof(std::int32_t), '\0');
    if (!codes.empty())
        std::memcpy(bytes.data(), codes.data(), bytes.size());
    bias.bytes = ConstantBytes(std::move(bytes));
    return bias;
}

// Sets the bias, in the scale of the input times those of the weights, which are codes already.
void setBias(PortableModel& model, PortableOperation& layer, const std::vector<double>& biases,
             float inputScale)
{
    layer.inputs[2] = model.add(biasTensor(model.at(layer.outputs[0]).name + "/bias", biases,
                                           model.at(layer.inputs[1]).quantized, inputScale));
}

} // namespace

bool isQuantizedLayer(PortableKind kind)
{
    return kind == PortableKind::Conv2D || kind == PortableKind::DepthwiseConv2D ||
           kind == PortableKind::FullyConnected || kind == PortableKind::TransposeConv;
}

PortableTensor quantizedConstant(const PortableTensor& tensor, const PortableScales& scales)
{
    PortableTensor result = tensor;
    result.name += "_int8";
    result.dtype = DType::Int8;
    result.quantized = scales;
    const std::vector<float> values = floatsOf(tensor);
    const WeightChannels channels =
        channelsAlong(tensor.dims, scales.axis, scales.scales.size()).value_or(WeightChannels());
    std::string bytes(values.size(), '\0');
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = channels.of(i);
        const float code =
            std::round(values[i] / scales.scales[channel]) + float(scales.zeros[channel]);
        bytes[i] = char(clampedTo<std::int8_t>(code));
    }
    result.bytes = ConstantBytes(std::move(bytes));
    return result;
}

void quantizeLayer(PortableModel& model, PortableOperation& layer, const PortableOperation& before,
                   const PortableScales& input, std::int64_t largestCode)
{
    const PortableTensor weights = model.at(before.inputs[1]);
    const std::size_t channels = channelsOf(before, weights);
    const std::vector<double> biases = biasesOf(model, before.input(2), channels);
    std::vector<float> least;
    for (const double bias : biases)
        least.push_back(float(std::abs(bias) / (largestBias * double(input.scales[0]))));
    PortableTensor codes = quantizedWeights(weights, before.kind, largestCode, least);
    layer.inputs.resize(3, noTensor);
    layer.inputs[1] = model.add(std::move(codes));
    setBias(model, layer, biases, input.scales[0]);
}

void quantizeBias(PortableModel& model, PortableOperation& layer, const PortableScales& input)
{
    if (layer.input(2) == noTensor || model.at(layer.inputs[2]).dtype != DType::Float)
        return;
    const std::size_t channels = channelsOf(layer, model.at(layer.inputs[1]));
    if (!model.isConstant(layer.inputs[2]) ||
        model.at(layer.inputs[2]).elements() != std::int64_t(channels))
        return;
    setBias(model, layer, biasesOf(model, layer.inputs[2], channels), input.scales[0]);
}

} // namespace lapidary
