// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/int8/scale_groups.h"

#include "transforms/export/int8/quantize_portable.h"
#include "transforms/export/int8/quantized_layers.h"

#include <algorithm>
#include <numeric>
#include <utility>

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
    case Kind::BatchMatMul:
    case Kind::Conv2D:
    case Kind::DepthwiseConv2D:
    case Kind::Elu:
    case Kind::FullyConnected:
    case Kind::Gelu:
    case Kind::LeakyRelu:
    case Kind::Mul:
    case Kind::ReduceMean:
    case Kind::ReduceSum:
    case Kind::Relu:
    case Kind::Relu6:
    case Kind::Sub:
    case Kind::TransposeConv: return Rule::Free;
    case Kind::AveragePool:
    case Kind::BatchToSpace:
    case Kind::Concat:
    case Kind::Copy:
    case Kind::DepthToSpace:
    case Kind::Gather:
    case Kind::MaxPool:
    case Kind::Maximum:
    case Kind::Minimum:
    case Kind::MirrorPad:
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

// Returns whether an operation joins tensors, so that each input may be rounded to the scale of the
// output.
bool joinsTensors(Kind kind)
{
    return kind == Kind::Concat || kind == Kind::Pack || kind == Kind::Maximum ||
           kind == Kind::Minimum;
}

// The limit of a shared scale over a tensor's own scale.
constexpr float mostWidened = 1.5F;

FrozenRange joinedRange(FrozenRange a, FrozenRange b)
{
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

float stepOf(FrozenRange range)
{
    return activationScales(range).scales[0];
}

// Returns whether the codes of a fixed scale cover all of these numbers.
bool holds(const PortableScales& fixed, FrozenRange range)
{
    constexpr float low = -128;
    constexpr float high = 127;
    const float step = fixed.scales[0];
    const auto zero = float(fixed.zeros[0]);
    return range.min >= (low - zero - 1) * step && range.max <= (high - zero + 1) * step;
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
    , m_sizes(model.tensors.size(), 1)
    , m_groups(model.tensors.size())
{
    for (const PortableTensor& tensor : model.tensors) {
        m_types.push_back(tensor.dtype);
        m_isConstant.push_back(tensor.isConstant);
    }
    std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
    for (const PortableOperation& operation : model.operations)
        if (isQuantized(operation) && ruleOf(operation.kind) == Rule::Same &&
            !joinsTensors(operation.kind))
            moveTogether(operation);
    for (std::size_t i = 0; i < m_parent.size(); ++i) {
        auto& range = m_groups[rootOf(TensorIndex(i))].range;
        if (ranges[i])
            range = range ? joinedRange(*range, *ranges[i]) : ranges[i];
    }
    for (const PortableOperation& operation : model.operations)
        if (isQuantized(operation) && ruleOf(operation.kind) == Rule::Fixed)
            m_groups[rootOf(operation.outputs[0])].fixed = fixedScales(operation.kind);
    countReads(model);
    for (const PortableOperation& operation : model.operations)
        if (isQuantized(operation) && joinsTensors(operation.kind))
            joinInputs(operation);
}

void ScaleGroups::moveTogether(const PortableOperation& operation)
{
    for (const auto* tensors : {&operation.inputs, &operation.outputs})
        for (const TensorIndex index : *tensors)
            if (index != noTensor && isReal(index))
                join(index, operation.outputs[0]);
}

void ScaleGroups::countReads(const PortableModel& model)
{
    for (const PortableOperation& operation : model.operations) {
        const bool isMove = isQuantized(operation) && ruleOf(operation.kind) == Rule::Same &&
                            !joinsTensors(operation.kind);
        for (const TensorIndex input : operation.inputs)
            if (input != noTensor && !isMove)
                ++m_groups[rootOf(input)].reads;
    }
    for (const TensorIndex output : model.outputs)
        ++m_groups[rootOf(output)].reads;
}

// Returns whether one scale serves both the tensors of an input's group and the result. If the
// input has no other reader, a finer scale of its own would be lost at once.
bool ScaleGroups::areAlike(const PortableOperation& operation, std::size_t input) const
{
    const Group& from = m_groups[input];
    const Group& to = m_groups[rootOf(operation.outputs[0])];
    std::size_t own = 0;
    std::size_t computed = 0;
    for (const TensorIndex index : operation.inputs) {
        own += rootOf(index) == input ? 1 : 0;
        computed += m_isConstant[std::size_t(index)] ? 0 : 1;
    }
    if (from.fixed || to.fixed)
        return from.fixed && (to.fixed ? *from.fixed == *to.fixed : computed == own) &&
               holds(*from.fixed, to.range.value_or(FrozenRange{}));
    const FrozenRange whole = joinedRange(*from.range, *to.range);
    const bool isFine = from.reads <= own || stepOf(whole) <= mostWidened * stepOf(*from.range);
    return computed == own || (isFine && stepOf(whole) <= mostWidened * stepOf(*to.range));
}

void ScaleGroups::joinInputs(const PortableOperation& operation)
{
    const TensorIndex output = operation.outputs[0];
    const auto& inputs = operation.inputs;
    // Parts that all have the same fixed scale are joined in it.
    const auto& first = m_groups[rootOf(inputs[0])].fixed;
    const bool isFixed = first && std::ranges::all_of(inputs, [&](TensorIndex input) {
                             const auto& fixed = m_groups[rootOf(input)].fixed;
                             return fixed && *fixed == *first;
                         });
    if (isFixed)
        m_groups[rootOf(output)].fixed = *first;
    for (const TensorIndex input : inputs) {
        const std::size_t root = rootOf(input);
        if (m_isConstant[std::size_t(input)] || root == rootOf(output) ||
            !areAlike(operation, root))
            continue;
        Group joined = m_groups[rootOf(output)];
        const Group& from = m_groups[root];
        if (from.range)
            joined.range = joined.range ? joinedRange(*joined.range, *from.range) : from.range;
        if (from.fixed)
            joined.fixed = from.fixed;
        joined.reads += from.reads;
        join(input, output);
        m_groups[rootOf(output)] = joined;
    }
}

bool ScaleGroups::isRescaled(const PortableOperation& operation, std::size_t slot) const
{
    const TensorIndex input = operation.inputs[slot];
    return joinsTensors(operation.kind) && scalesOf(input) != scalesOf(operation.outputs[0]);
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
    std::size_t small = rootOf(a);
    std::size_t large = rootOf(b);
    if (small == large)
        return;
    if (m_sizes[small] > m_sizes[large])
        std::swap(small, large);
    m_parent[small] = large;
    m_sizes[large] += m_sizes[small];
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
    const bool isLayer = isQuantizedLayer(operation.kind);
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
