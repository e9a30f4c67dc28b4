// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/int8/tensor_ranges.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

void widen(std::optional<FrozenRange>& range, std::span<const float> values)
{
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        if (!range)
            range = FrozenRange{value, value};
        range->min = std::min(range->min, value);
        range->max = std::max(range->max, value);
    }
}

FrozenRange limited(FrozenRange range, PortableActivation activation)
{
    if (activation == PortableActivation::None)
        return range;
    range.min = std::max(range.min, 0.0F);
    range.max = std::max(range.max, 0.0F);
    if (activation == PortableActivation::Relu6)
        range.max = std::min(range.max, 6.0F);
    return range;
}

PortableActivation activationOf(PortableKind kind)
{
    return kind == PortableKind::Relu    ? PortableActivation::Relu
           : kind == PortableKind::Relu6 ? PortableActivation::Relu6
                                         : PortableActivation::None;
}

// Returns whether the results are values of the input, or between them.
bool keepsRange(PortableKind kind)
{
    switch (kind) {
    case PortableKind::AveragePool:
    case PortableKind::BatchToSpace:
    case PortableKind::Copy:
    case PortableKind::DepthToSpace:
    case PortableKind::MaxPool:
    case PortableKind::MirrorPad:
    case PortableKind::ReduceMax:
    case PortableKind::ReduceMean:
    case PortableKind::ReduceMin:
    case PortableKind::Relu:
    case PortableKind::Relu6:
    case PortableKind::Reshape:
    case PortableKind::ResizeBilinear:
    case PortableKind::ResizeNearest:
    case PortableKind::SpaceToBatch:
    case PortableKind::SpaceToDepth:
    case PortableKind::Split:
    case PortableKind::StridedSlice:
    case PortableKind::Transpose: return true;
    default: return false;
    }
}

// Returns the node that was measured: conv1 for "conv1/eightbit/requant_range".
std::string measuredNode(const std::string& name)
{
    return name.substr(0, name.find("/eightbit"));
}

std::optional<FrozenRange> loggedRange(const PortableOperation& operation,
                                       const std::string& output,
                                       const std::map<std::string, FrozenRange>& measured)
{
    std::vector<std::string> names = operation.merged;
    names.push_back(output);
    names.push_back(operation.source);
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        if (const auto found = measured.find(*name); found != measured.end())
            return limited(found->second, operation.activation);
    return std::nullopt;
}

std::optional<FrozenRange> joined(const PortableOperation& operation, const TensorRanges& ranges)
{
    std::optional<FrozenRange> result;
    for (const TensorIndex input : operation.inputs) {
        const auto& one = ranges[std::size_t(input)];
        if (!one)
            return std::nullopt;
        if (!result)
            result = one;
        result->min = std::min(result->min, one->min);
        result->max = std::max(result->max, one->max);
    }
    return result;
}

} // namespace

RangeObserver::RangeObserver(const PortableModel& model, RaisedGraph raised)
    : m_ranges(model.tensors.size())
{
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const PortableTensor& tensor = model.tensors[i];
        if (tensor.isConstant) {
            widen(m_ranges[i], floatsOf(tensor));
        } else if (tensor.dtype == DType::Float) {
            m_observed.push_back(TensorIndex(i));
            m_request.fetches.push_back(raised.tensors[i]);
        }
    }
    m_observedCount = m_observed.size();
    for (const TensorIndex output : model.outputs)
        m_request.fetches.push_back(raised.tensors[std::size_t(output)]);
    for (const TensorIndex input : model.inputs)
        m_inputs.push_back(raised.tensors[std::size_t(input)]);
    m_session = std::make_shared<Session>(std::move(raised.graph), SessionOptions());
}

Result<RangeObserver> RangeObserver::make(const PortableModel& model)
{
    ASSIGN_OR_RETURN(RaisedGraph raised, raisePortable(model));
    return RangeObserver(model, std::move(raised));
}

Status RangeObserver::add(std::vector<Value> inputs, const Job& job)
{
    m_request.feeds.clear();
    for (std::size_t i = 0; i < inputs.size() && i < m_inputs.size(); ++i)
        m_request.feeds.emplace_back(m_inputs[i], std::move(inputs[i]));
    ASSIGN_OR_RETURN(std::vector<Value> values, m_session->run(m_request, job));
    for (std::size_t i = 0; i < m_observedCount; ++i)
        widen(m_ranges[std::size_t(m_observed[i])], values[i].as<float>());
    m_outputs.assign(values.begin() + std::ptrdiff_t(m_observedCount), values.end());
    return Done{};
}

TensorRanges rangesOfLog(const PortableModel& model, const FrozenRanges& log,
                         const std::map<std::string, FrozenRange>& inputs)
{
    std::map<std::string, FrozenRange> measured;
    for (const auto& [node, range] : log)
        measured.emplace(measuredNode(node), range);
    TensorRanges ranges(model.tensors.size());
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (model.tensors[i].isConstant)
            widen(ranges[i], floatsOf(model.tensors[i]));
    for (const TensorIndex input : model.inputs)
        if (const auto found = inputs.find(model.at(input).name); found != inputs.end())
            ranges[std::size_t(input)] = found->second;
    for (const PortableOperation& operation : model.operations)
        for (const TensorIndex output : operation.outputs) {
            auto& range = ranges[std::size_t(output)];
            range = loggedRange(operation, model.at(output).name, measured);
            if (!range && operation.kind == PortableKind::Concat)
                range = joined(operation, ranges);
            if (const TensorIndex x = operation.input(0); !range && x != noTensor)
                if (keepsRange(operation.kind) && ranges[std::size_t(x)])
                    range = limited(*ranges[std::size_t(x)], activationOf(operation.kind));
        }
    return ranges;
}

} // namespace lapidary
