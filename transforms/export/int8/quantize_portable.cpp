// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/int8/quantize_portable.h"

#include "graph_model/base/clamped_cast.h"
#include "transforms/export/base/portable_edit.h"
#include "transforms/export/int8/quantized_layers.h"
#include "transforms/export/int8/scale_groups.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Rewrites the operations one after the other; each tensor may have a float and an 8-bit version.
class Quantizing {
public:
    Quantizing(PortableModel& model, const TensorRanges& ranges, QuantizedEnds ends)
        : m_model(model)
        , m_groups(model, ranges)
        , m_ends(ends)
        , m_inInt8(model.tensors.size(), noTensor)
        , m_inFloat(model.tensors.size(), noTensor)
    {
    }

    QuantizeReport run()
    {
        const std::vector<PortableOperation> operations = std::move(m_model.operations);
        m_model.operations.clear();
        for (const TensorIndex input : m_model.inputs)
            takeInput(input);
        for (const PortableOperation& operation : operations)
            if (m_groups.isQuantized(operation))
                appendQuantized(operation);
            else
                appendFloat(operation);
        for (TensorIndex& output : m_model.outputs)
            output = finalOutput(output);
        return std::move(m_report);
    }

private:
    bool isReal(TensorIndex index) const { return m_model.at(index).dtype == DType::Float; }

    void takeInput(TensorIndex input)
    {
        m_inFloat[std::size_t(input)] = input;
        if (m_ends != QuantizedEnds::Int8 || !isReal(input) || !m_groups.hasScales(input))
            return;
        makeInt8(m_model.at(input), m_groups.scalesOf(input));
        m_inFloat[std::size_t(input)] = noTensor;
        m_inInt8[std::size_t(input)] = input;
    }

    static void makeInt8(PortableTensor& tensor, PortableScales scales)
    {
        tensor.dtype = DType::Int8;
        tensor.quantized = std::move(scales);
    }

    TensorIndex int8Of(TensorIndex index)
    {
        TensorIndex& known = m_inInt8[std::size_t(index)];
        if (known != noTensor)
            return known;
        if (m_model.at(index).isConstant)
            return known =
                       m_model.add(quantizedConstant(m_model.at(index), m_groups.scalesOf(index)));
        PortableTensor tensor = m_model.at(index);
        tensor.name += "_int8";
        makeInt8(tensor, m_groups.scalesOf(index));
        const TensorIndex from = floatOf(index);
        return m_inInt8[std::size_t(index)] =
                   appendOperation(m_model, Kind::Quantize, from, std::move(tensor));
    }

    TensorIndex floatOf(TensorIndex index)
    {
        const TensorIndex known = m_inFloat[std::size_t(index)];
        if (m_model.at(index).isConstant)
            return index;
        if (known != noTensor || !isVersioned(index))
            return known == noTensor ? index : known;
        PortableTensor tensor = m_model.at(index);
        tensor.dtype = DType::Float;
        tensor.quantized = {};
        tensor.name += "_float";
        const TensorIndex from = m_inInt8[std::size_t(index)];
        return m_inFloat[std::size_t(index)] =
                   appendOperation(m_model, Kind::Dequantize, from, std::move(tensor));
    }

    // Returns whether the tensor has a version in 8 bits.
    bool isVersioned(TensorIndex index) const { return m_inInt8[std::size_t(index)] != noTensor; }

    void appendFloat(PortableOperation operation)
    {
        for (TensorIndex& input : operation.inputs)
            if (input != noTensor)
                input = floatOf(input);
        for (const TensorIndex output : operation.outputs)
            m_inFloat[std::size_t(output)] = output;
        if (std::ranges::any_of(operation.outputs,
                                [&](TensorIndex index) { return isReal(index); }))
            m_report.stayedFloat.push_back(operation.source + " (" +
                                           std::string(portableKindName(operation.kind)) +
                                           "): " + m_groups.reason(operation));
        m_model.operations.push_back(std::move(operation));
    }

    void appendQuantized(PortableOperation operation)
    {
        const PortableOperation before = operation;
        const bool isLayer = isQuantizedLayer(operation.kind);
        for (std::size_t slot = 0; slot < operation.inputs.size(); ++slot) {
            TensorIndex& input = operation.inputs[slot];
            const bool hasScale = input != noTensor && (isReal(input) || isVersioned(input));
            if (hasScale && (slot == 0 || !isLayer))
                input = m_groups.isRescaled(before, slot) ? rescaled(before, slot) : int8Of(input);
        }
        if (isLayer)
            quantizeLayer(m_model, operation, before, m_groups.scalesOf(before.inputs[0]));
        for (const TensorIndex output : operation.outputs) {
            makeInt8(m_model.at(output), m_groups.scalesOf(output));
            m_inInt8[std::size_t(output)] = output;
        }
        ++m_report.quantized;
        m_model.operations.push_back(std::move(operation));
    }

    // Returns an input in the scale of the operation's output.
    TensorIndex rescaled(const PortableOperation& operation, std::size_t slot)
    {
        const TensorIndex input = operation.inputs[slot];
        PortableScales scales = m_groups.scalesOf(operation.outputs[0]);
        if (m_model.at(input).isConstant)
            return m_model.add(quantizedConstant(m_model.at(input), scales));
        PortableTensor tensor = m_model.at(input);
        tensor.name = m_model.at(operation.outputs[0]).name + "/input" + std::to_string(slot);
        makeInt8(tensor, std::move(scales));
        const TensorIndex from = isVersioned(input) ? int8Of(input) : floatOf(input);
        return appendOperation(m_model, Kind::Quantize, from, std::move(tensor));
    }

    // A float output keeps its name; the quantized tensor gets another one.
    TensorIndex finalOutput(TensorIndex output)
    {
        if (m_inInt8[std::size_t(output)] != output || m_ends == QuantizedEnds::Int8)
            return m_inFloat[std::size_t(output)] != noTensor ? m_inFloat[std::size_t(output)]
                                                              : output;
        const std::string name = m_model.at(output).name;
        const TensorIndex made = floatOf(output);
        m_model.at(output).name = name + "_int8";
        m_model.at(made).name = name;
        return made;
    }

    PortableModel& m_model;
    ScaleGroups m_groups;
    QuantizedEnds m_ends;
    std::vector<TensorIndex> m_inInt8;  // by tensor of the float model: its version in 8 bits
    std::vector<TensorIndex> m_inFloat; // its float version
    QuantizeReport m_report;
};

} // namespace

void expandForRanges(PortableModel& model)
{
    std::vector<PortableOperation> expanded;
    for (PortableOperation& operation : model.operations) {
        if (operation.kind != Kind::ChannelAffine) {
            expanded.push_back(std::move(operation));
            continue;
        }
        PortableTensor scaled = model.at(operation.outputs[0]);
        scaled.name += "/scaled";
        PortableOperation product = operation;
        product.kind = Kind::Mul;
        product.activation = PortableActivation::None;
        product.merged.clear();
        product.inputs = {operation.inputs[0], operation.inputs[1]};
        product.outputs = {model.add(std::move(scaled))};
        operation.kind = Kind::Add;
        operation.inputs = {product.outputs[0], operation.inputs[2]};
        expanded.push_back(std::move(product));
        expanded.push_back(std::move(operation));
    }
    model.operations = std::move(expanded);
}

PortableScales activationScales(FrozenRange range)
{
    const double low = std::min(double(range.min), 0.0);
    const double high = std::max(double(range.max), 0.0);
    const double scale = std::max((high - low) / 255, 1e-9);
    const double zero = std::clamp(std::round(-128 - low / scale), -128.0, 127.0);
    PortableScales scales;
    scales.scales = {float(scale)};
    scales.zeros = {clampedTo<std::int64_t>(zero)};
    return scales;
}

QuantizeReport quantizePortable(PortableModel& model, const TensorRanges& ranges,
                                QuantizedEnds ends)
{
    return Quantizing(model, ranges, ends).run();
}

} // namespace lapidary
