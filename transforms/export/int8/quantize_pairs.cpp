// SPDX-License-Identifier: Apache-2.0
// ONNX's form of a model in 8 bits: float operations between pairs that round to 8 bits. Runtimes
// merge the pairs into the operations.
#include "transforms/export/base/portable_edit.h"
#include "transforms/export/int8/quantize_portable.h"
#include "transforms/export/int8/quantized_layers.h"
#include "transforms/export/int8/scale_groups.h"

#include <algorithm>

namespace lapidary {
namespace {

using Kind = PortableKind;

class Pairing {
public:
    Pairing(PortableModel& model, const TensorRanges& ranges, bool reduced)
        : m_model(model)
        , m_groups(model, ranges)
        , m_readers(portableReaders(model))
        , m_isOutput(portableOutputs(model))
        , m_reduced(reduced)
        , m_rounded(model.tensors.size(), noTensor)
    {
    }

    QuantizeReport run()
    {
        m_before = std::move(m_model.operations);
        m_model.operations.clear();
        for (const PortableOperation& operation : m_before)
            append(operation);
        return std::move(m_report);
    }

private:
    // A tensor that only an activation reads is quantized after the activation.
    bool isInside(TensorIndex index) const
    {
        const auto& readers = m_readers[std::size_t(index)];
        if (readers.size() != 1 || m_isOutput[std::size_t(index)])
            return false;
        const Kind kind = m_before[readers[0]].kind;
        return kind == Kind::Relu || kind == Kind::Relu6;
    }

    // Returns the tensor after its pair.
    TensorIndex rounded(TensorIndex index)
    {
        TensorIndex& known = m_rounded[std::size_t(index)];
        const PortableTensor before = m_model.at(index);
        if (known != noTensor)
            return known;
        if (before.dtype != DType::Float || !m_groups.hasScales(index) || isInside(index))
            return known = index;
        PortableTensor codes = before;
        codes.name += "_int8";
        codes.isConstant = false;
        codes.bytes = {};
        codes.dtype = DType::Int8;
        codes.quantized = m_groups.scalesOf(index);
        PortableTensor back = codes;
        back.name = before.name + "_rounded";
        back.dtype = DType::Float;
        back.quantized = {};
        const TensorIndex stored =
            appendOperation(m_model, Kind::Quantize, index, std::move(codes));
        return m_rounded[std::size_t(index)] =
                   appendOperation(m_model, Kind::Dequantize, stored, std::move(back));
    }

    void append(PortableOperation operation)
    {
        const PortableOperation before = operation;
        const bool isLayer = isQuantizedLayer(operation.kind);
        if (!m_groups.isQuantized(operation)) {
            m_report.stayedFloat.push_back(operation.source + " (" +
                                           std::string(portableKindName(operation.kind)) +
                                           "): " + m_groups.reason(operation));
            m_model.operations.push_back(std::move(operation));
            return;
        }
        for (std::size_t slot = 0; slot < operation.inputs.size(); ++slot)
            if (operation.inputs[slot] != noTensor && (slot == 0 || !isLayer))
                operation.inputs[slot] = rounded(operation.inputs[slot]);
        if (isLayer)
            quantizeLayer(m_model, operation, before, m_groups.scalesOf(before.inputs[0]),
                          m_reduced ? 63 : 127);
        ++m_report.quantized;
        m_model.operations.push_back(std::move(operation));
    }

    PortableModel& m_model;
    ScaleGroups m_groups;
    std::vector<std::vector<std::size_t>> m_readers;
    std::vector<bool> m_isOutput;
    bool m_reduced;
    std::vector<TensorIndex> m_rounded; // by tensor of the float model
    std::vector<PortableOperation> m_before;
    QuantizeReport m_report;
};

} // namespace

QuantizeReport insertQuantizePairs(PortableModel& model, const TensorRanges& ranges, bool reduced)
{
    return Pairing(model, ranges, reduced).run();
}

} // namespace lapidary
