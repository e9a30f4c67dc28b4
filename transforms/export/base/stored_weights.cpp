// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/base/stored_weights.h"

#include "graph_model/tensor/narrow_float.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::int64_t leastForHalf = 256;
constexpr std::int64_t leastForInt8 = 1024;

PortableTensor halved(PortableTensor tensor)
{
    tensor.dtype = DType::Half;
    tensor.bytes = tensor.bytes.halved();
    return tensor;
}

// Returns the channels that have a scale each; a fully connected layer has one for all.
WeightChannels scaledChannels(const PortableTensor& weights, PortableKind layer)
{
    const bool isConvolution = layer == PortableKind::Conv2D ||
                               layer == PortableKind::DepthwiseConv2D ||
                               layer == PortableKind::TransposeConv;
    return isConvolution ? weightChannels(layer, weights.dims) : WeightChannels();
}

bool readsWeights(PortableKind kind)
{
    return kind == PortableKind::Conv2D || kind == PortableKind::DepthwiseConv2D ||
           kind == PortableKind::FullyConnected;
}

// Finds constants that are read only as weights of a layer.
std::vector<PortableKind> weightReaders(const PortableModel& model, std::vector<bool>& isWeight)
{
    std::vector<PortableKind> kinds(model.tensors.size(), PortableKind::Copy);
    std::vector<bool> isOther(model.tensors.size(), false);
    for (const PortableOperation& operation : model.operations)
        for (std::size_t slot = 0; slot < operation.inputs.size(); ++slot) {
            const TensorIndex input = operation.inputs[slot];
            if (input == noTensor)
                continue;
            const bool isHere = slot == 1 && readsWeights(operation.kind);
            PortableKind& kind = kinds[std::size_t(input)];
            if (!isHere || (kind != PortableKind::Copy && kind != operation.kind))
                isOther[std::size_t(input)] = true;
            kind = operation.kind;
        }
    for (std::size_t i = 0; i < kinds.size(); ++i)
        isWeight[i] = readsWeights(kinds[i]) && !isOther[i];
    return kinds;
}

// Flags the weights of recurrent layers. They stay float, because the writers split them.
std::vector<bool> recurrentWeights(const PortableModel& model)
{
    std::vector<bool> isRecurrent(model.tensors.size(), false);
    for (const PortableOperation& operation : model.operations)
        if (isRecurrentLayer(operation.kind))
            for (const TensorIndex input : operation.inputs)
                if (input != noTensor)
                    isRecurrent[std::size_t(input)] = true;
    return isRecurrent;
}

} // namespace

PortableTensor quantizedWeights(const PortableTensor& weights, PortableKind layer,
                                std::int64_t largestCode, const std::vector<float>& least)
{
    const auto limit = float(largestCode);
    const std::vector<float> values = floatsOf(weights);
    const WeightChannels channels = scaledChannels(weights, layer);
    std::vector<float> largest(channels.count, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        float& one = largest[channels.of(i)];
        one = std::max(one, std::abs(values[i]));
    }
    PortableTensor result = weights;
    result.quantized.scales.clear();
    for (std::size_t i = 0; i < largest.size(); ++i) {
        const float scale = largest[i] > 0 ? largest[i] / limit : 1;
        const bool isBound = least.size() == largest.size();
        result.quantized.scales.push_back(isBound ? std::max(scale, least[i]) : scale);
    }
    result.quantized.zeros.assign(channels.count, 0);
    result.quantized.axis = std::int64_t(channels.run);
    result.dtype = DType::Int8;
    result.bytes = weights.bytes.coded(result.quantized.scales, channels.run, limit);
    weights.bytes.release();
    return result;
}

void storeWeights(PortableModel& model, WeightFormat format)
{
    changeParts(model, [format](PortableModel& part) { storeWeights(part, format); });
    std::vector<bool> isWeight(model.tensors.size(), false);
    const std::vector<PortableKind> kinds = weightReaders(model, isWeight);
    const std::vector<bool> staysFloat = recurrentWeights(model);
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        PortableTensor& tensor = model.tensors[i];
        if (!tensor.isConstant || tensor.dtype != DType::Float || staysFloat[i])
            continue;
        if (format == WeightFormat::Float16 && tensor.elements() >= leastForHalf)
            tensor = halved(tensor);
        if (format == WeightFormat::Int8 && isWeight[i] && tensor.elements() >= leastForInt8)
            tensor = quantizedWeights(tensor, kinds[i]);
    }
}

std::optional<std::vector<float>> restoredWeights(const PortableTensor& tensor)
{
    if (!tensor.isConstant)
        return std::nullopt;
    const ConstantBytes stored = tensor.bytes.read();
    std::vector<float> values;
    if (tensor.dtype == DType::Half) {
        for (std::size_t i = 0; i + 1 < stored.size(); i += 2) {
            Half half(0.0F);
            std::memcpy(&half.bits, stored.view().data() + i, 2);
            values.push_back(float(half));
        }
        return values;
    }
    if (tensor.dtype != DType::Int8 || !tensor.quantized.isSet())
        return std::nullopt;
    const WeightChannels channels{tensor.quantized.scales.size(),
                                  std::size_t(tensor.quantized.axis)};
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::size_t channel = channels.count > 1 ? channels.of(i) : 0;
        values.push_back(float(std::int8_t(stored.view()[i])) * tensor.quantized.scales[channel]);
    }
    return values;
}

} // namespace lapidary
