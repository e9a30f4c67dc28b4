// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/int8/store_codes.h"

#include "transforms/export/int8/quantized_layers.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Operations besides layers and Gather that read numbers of one scale in any slot.
constexpr std::array readers{Kind::Add, Kind::BatchMatMul, Kind::Concat,
                             Kind::Div, Kind::Maximum,     Kind::Minimum,
                             Kind::Mul, Kind::Sub,         Kind::SquaredDifference};

// Returns whether there is one scale for each output channel of a layer.
bool areOfChannels(const PortableTensor& weights, PortableKind layer)
{
    const PortableScales& scales = weights.quantized;
    const auto own = channelsAlong(weights.dims, scales.axis, scales.scales.size());
    const WeightChannels made = weightChannels(layer, weights.dims);
    return own && own->count == made.count && own->run == made.run;
}

// Returns whether a writer accepts the codes of a constant there instead of numbers.
bool takesCodes(const PortableOperation& operation, std::size_t slot,
                const PortableTensor& constant)
{
    const bool areSeveral = constant.quantized.scales.size() > 1;
    if (isQuantizedLayer(operation.kind))
        return slot == 1 && (!areSeveral || areOfChannels(constant, operation.kind));
    if (operation.kind == Kind::Gather)
        return slot == 0;
    return !areSeveral && readsCodes(operation.kind);
}

// Flags the constants that every reader takes as codes.
std::vector<bool> codedConstants(const PortableModel& model)
{
    std::vector<bool> isCoded;
    for (const PortableTensor& tensor : model.tensors)
        isCoded.push_back(tensor.isConstant && tensor.dtype == DType::Float &&
                          tensor.quantized.isSet());
    for (const PortableOperation& operation : model.operations)
        for (std::size_t slot = 0; slot < operation.inputs.size(); ++slot)
            if (const TensorIndex input = operation.inputs[slot];
                input != noTensor && isCoded[std::size_t(input)])
                isCoded[std::size_t(input)] = takesCodes(operation, slot, model.at(input));
    return isCoded;
}

// Returns for each tensor the codes that it was dequantized from, perhaps in another order;
// noTensor if there are none.
std::vector<TensorIndex> codesBehind(const PortableModel& model)
{
    std::vector<TensorIndex> codes(model.tensors.size(), noTensor);
    for (const PortableOperation& operation : model.operations) {
        const bool isMoved = operation.kind == Kind::Transpose || operation.kind == Kind::Reshape;
        if (operation.kind == Kind::Dequantize)
            codes[std::size_t(operation.outputs[0])] = operation.inputs[0];
        else if (isMoved && operation.inputs[0] != noTensor)
            codes[std::size_t(operation.outputs[0])] = codes[std::size_t(operation.inputs[0])];
    }
    return codes;
}

bool hasCodedWeights(const PortableModel& model, const PortableOperation& operation)
{
    if (!isQuantizedLayer(operation.kind) || !model.isConstant(operation.input(1)))
        return false;
    const PortableTensor& weights = model.at(operation.inputs[1]);
    return weights.dtype == DType::Int8 && weights.quantized.isSet();
}

void storeConstants(PortableModel& model)
{
    const std::vector<bool> isCoded = codedConstants(model);
    for (std::size_t i = 0; i < isCoded.size(); ++i) {
        PortableTensor& tensor = model.tensors[i];
        if (isCoded[i])
            tensor = quantizedConstant(tensor, tensor.quantized);
        else if (tensor.dtype == DType::Float)
            tensor.quantized = {};
    }
}

} // namespace

bool readsCodes(Kind kind)
{
    return isQuantizedLayer(kind) || kind == Kind::Gather ||
           std::ranges::find(readers, kind) != readers.end();
}

std::vector<std::string> storeCodes(PortableModel& model)
{
    changeParts(model, [](PortableModel& part) { storeCodes(part); });
    storeConstants(model);
    const std::vector<TensorIndex> codes = codesBehind(model);
    std::vector<std::string> rounded; // layers whose inputs are rounded by TFLite only
    for (PortableOperation& layer : model.operations) {
        if (!hasCodedWeights(model, layer))
            continue;
        const TensorIndex input = codes[std::size_t(layer.inputs[0])];
        if (input == noTensor)
            rounded.push_back(layer.source);
        else
            quantizeBias(model, layer, PortableScales(model.at(input).quantized));
    }
    if (rounded.empty())
        return {};
    const std::string others =
        rounded.size() == 1 ? "" : " and " + std::to_string(rounded.size() - 1) + " more layers";
    return {rounded.front() + others +
            ": TFLite rounds what it reads to 8 bits for its weights, the file does not"};
}

} // namespace lapidary
