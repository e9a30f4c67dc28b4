// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/scale_groups.h"

#include "transforms/export/quantize_portable.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;

enum class Rule {
    None,  // no 8-bit kernel
    Free,  // every tensor has a scale of its own
    Same,  // inputs and outputs have one scale
    Fixed, // the output's scale is fixed by the format
};

Rule ruleOf(Kind kind)
{
    switch (kind) {
    case Kind::Add:
    case Kind::Conv2D:
    case Kind::DepthwiseConv2D:
    case Kind::FullyConnected:
    case Kind::LeakyRelu:
    case Kind::Mul:
    case Kind::ReduceMean:
    case Kind::Relu:
    case Kind::Relu6:
    case Kind::Sub: return Rule::Free;
    case Kind::AveragePool:
    case Kind::BatchToSpace:
    case Kind::Concat:
    case Kind::Copy:
    case Kind::DepthToSpace:
    case Kind::MaxPool:
    case Kind::Maximum:
    case Kind::Minimum:
    case Kind::Pack:
    case Kind::Pad:
    case Kind::ReduceMax:
    case Kind::ReduceMin:
    case Kind::Reshape:
    case Kind::ResizeBilinear:
    case Kind::ResizeNearest:
    case Kind::SpaceToBatch:
    case Kind::SpaceToDepth:
    case Kind::Split:
    case Kind::StridedSlice:
    case Kind::Transpose:
    case Kind::Unpack: return Rule::Same;
    case Kind::LogSoftmax:
    case Kind::Sigmoid:
    case Kind::Softmax:
    case Kind::Tanh: return Rule::Fixed;
    default: return Rule::None;
    }
}

PortableScales fixedScales(Kind kind)
{
    PortableScales scales;
    scales.scales = {kind == Kind::Tanh         ? 1.0F / 128
                     : kind == Kind::LogSoftmax ? 16.0F / 256
                                                : 1.0F / 256};
    scales.zeros = {kind == Kind::Tanh ? 0 : kind == Kind::LogSoftmax ? 127 : -128};
    return scales;
}

} // namespace

ScaleGroups::ScaleGroups(const PortableModel& model, const TensorRanges& ranges)
    : m_ranges(ranges)
    , m_parent(model.tensors.size())
    , m_groups(model.tensors.size())
{
    for (const PortableTensor& tensor : model.tensors) {
        m_types.push_back(tensor.dtype);
        m_isConstant.push_back(tensor.isConstant);
    }
    std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
    for (const PortableOperation& operation : model.operations) {
        if (!isQuantized(operation) || ruleOf(operation.kind) != Rule::Same)
            continue;
        for (const auto* tensors : {&operation.inputs, &operation.outputs})
            for (const TensorIndex index : *tensors)
                if (index != noTensor && isReal(index))
                    join(index, operation.outputs[0]);
    }
    for (std::size_t i = 0; i < m_parent.size(); ++i) {
        auto& range = m_groups[rootOf(TensorIndex(i))].range;
        if (!ranges[i])
            continue;
        if (!range)
            range = ranges[i];
        range->min = std::min(range->min, ranges[i]->min);
        range->max = std::max(range->max, ranges[i]->max);
    }
    for (const PortableOperation& operation : model.operations)
        if (isQuantized(operation) && ruleOf(operation.kind) == Rule::Fixed)
            m_groups[rootOf(operation.outputs[0])].fixed = fixedScales(operation.kind);
}

std::size_t ScaleGroups::rootOf(TensorIndex index) const
{
    auto root = std::size_t(index);
    while (m_parent[root] != root)
        root = m_parent[root];
    return root;
}

void ScaleGroups::join(TensorIndex a, TensorIndex b)
{
    m_parent[rootOf(a)] = rootOf(b);
}

bool ScaleGroups::isReal(TensorIndex index) const
{
    return m_types[std::size_t(index)] == DType::Float;
}

bool ScaleGroups::hasRange(TensorIndex index) const
{
    return m_ranges[std::size_t(index)].has_value();
}

bool ScaleGroups::isQuantized(const PortableOperation& operation) const
{
    return reason(operation).empty();
}

std::string ScaleGroups::reason(const PortableOperation& operation) const
{
    const Rule rule = ruleOf(operation.kind);
    if (!operation.parts.empty())
        return "what a loop runs is computed in float";
    if (rule == Rule::None)
        return "the runtimes have no 8-bit kernel for it";
    if (operation.kind == Kind::Pad && operation.inputs.size() > 1)
        return "it pads with another value than 0";
    const bool isLayer = operation.kind == Kind::Conv2D ||
                         operation.kind == Kind::DepthwiseConv2D ||
                         operation.kind == Kind::FullyConnected;
    if (isLayer && !m_isConstant[std::size_t(operation.inputs[1])])
        return "its weights are computed";
    if (!isReal(operation.outputs[0]) || !isReal(operation.inputs[0]))
        return "it computes whole numbers";
    for (std::size_t slot = 0; slot < (isLayer ? 1 : operation.inputs.size()); ++slot)
        if (operation.inputs[slot] != noTensor && isReal(operation.inputs[slot]) &&
            !hasRange(operation.inputs[slot]))
            return "the range of its input is not known";
    for (const TensorIndex output : operation.outputs)
        if (rule != Rule::Fixed && !hasRange(output))
            return "the range of its output is not known";
    return "";
}

bool ScaleGroups::hasScales(TensorIndex index) const
{
    const Group& group = m_groups[rootOf(index)];
    return group.range || group.fixed;
}

PortableScales ScaleGroups::scalesOf(TensorIndex index) const
{
    const Group& group = m_groups[rootOf(index)];
    return group.fixed ? *group.fixed : activationScales(group.range.value_or(FrozenRange{}));
}

} // namespace lapidary
