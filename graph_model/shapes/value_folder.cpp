// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/value_folder.h"

#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/fold_items.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::int64_t totalElements = 8 << 20;
constexpr std::int64_t maxFloats = 64; // floats rarely determine sizes, and are mostly weights

// Returns whether every output is the first input, also across frames and branches.
bool handsOn(std::string_view op)
{
    return passesInputOn(op) || (controlFlow(op) != ControlFlow::None && !isMerge(op));
}

template <class T>
std::vector<std::int64_t> widened(std::string_view bytes)
{
    std::vector<std::int64_t> items;
    items.reserve(bytes.size() / sizeof(T));
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        T item{};
        std::memcpy(&item, bytes.data() + at, sizeof(T));
        items.push_back(std::int64_t(item));
    }
    return items;
}

std::vector<std::int64_t> itemsOf(DType dtype, std::string_view bytes)
{
    switch (dtype) {
    case DType::Bool:
    case DType::UInt8: return widened<std::uint8_t>(bytes);
    case DType::Int8: return widened<std::int8_t>(bytes);
    case DType::Int16: return widened<std::int16_t>(bytes);
    case DType::Int32: return widened<std::int32_t>(bytes);
    case DType::Int64: return widened<std::int64_t>(bytes);
    case DType::UInt16: return widened<std::uint16_t>(bytes);
    default: return {};
    }
}

bool sameValues(const KnownValuesPtr& a, const KnownValuesPtr& b)
{
    return a && b && !a->floats && !b->floats && a->items == b->items;
}

void mergeKnown(std::span<const TensorState> inputs, TensorState& output)
{
    if (inputs.empty() || !inputs[0].known)
        return;
    for (const TensorState& input : inputs)
        if (!sameValues(inputs[0].known, input.known) || input.shape != inputs[0].shape)
            return;
    output.known = inputs[0].known;
}

void mergeHandles(std::span<const TensorState> inputs, TensorState& output)
{
    for (const TensorState& input : inputs)
        if (input.handle != inputs[0].handle)
            return;
    output.handle = inputs.empty() ? nullptr : inputs[0].handle;
}

void handOn(const TensorState& input, TensorState& output)
{
    output.known = input.known;
    output.handle = input.handle;
}

} // namespace

bool isKeptAsItems(DType dtype)
{
    switch (dtype) {
    case DType::Bool:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16: return true;
    default: return false;
    }
}

std::int64_t mostKnownElements(DType dtype)
{
    if (isKeptAsItems(dtype))
        return maxKnownElements;
    const bool isFloating = dtype == DType::Float || dtype == DType::Double || dtype == DType::Half;
    return isFloating ? maxFloats : -1;
}

ValueFolder::ValueFolder(FoldKernel kernel)
    : m_kernel(std::move(kernel))
    , m_budget(totalElements)
{
}

void ValueFolder::fold(const Node& node, std::span<const TensorState> inputs,
                       std::span<TensorState> outputs)
{
    if (outputs.empty() || m_budget <= 0)
        return;
    const std::string_view op = node.op();
    if (holdsValue(op)) {
        outputs[0].known = constant(node);
    } else if (handsOn(op)) {
        for (TensorState& output : outputs)
            if (!inputs.empty())
                handOn(inputs[0], output);
    } else if (passesEachInputOn(op)) {
        for (std::size_t i = 0; i < std::min(inputs.size(), outputs.size()); ++i)
            handOn(inputs[i], outputs[i]);
    } else if (isMerge(op)) {
        mergeKnown(inputs, outputs[0]);
        mergeHandles(inputs, outputs[0]);
    } else {
        compute(node, inputs, outputs);
    }
}

void ValueFolder::compute(const Node& node, std::span<const TensorState> inputs,
                          std::span<TensorState> outputs)
{
    const auto lists = foldItems(node, inputs, outputs);
    for (std::size_t i = 0; i < std::min(lists.size(), outputs.size()); ++i) {
        const auto count = elementCount(outputs[i].shape);
        if (outputs[i].shape.unknownRank || !count || *count != std::int64_t(lists[i].size()) ||
            *count > maxKnownElements)
            continue;
        m_budget -= *count + 1;
        outputs[i].known = std::make_shared<KnownValues>(KnownValues{lists[i], {}});
    }
    const auto isKnown = [](const TensorState& input) {
        return input.known && input.known->isComplete();
    };
    if (outputs[0].known || !m_kernel || !std::ranges::all_of(inputs, isKnown))
        return;
    m_kernel(node, inputs, outputs);
    for (const TensorState& output : outputs)
        if (output.known)
            m_budget -= elementCount(output.shape).value_or(0) + 1;
}

KnownValuesPtr ValueFolder::constant(const Node& node)
{
    const auto proto = node.attr("value").asTensorProto();
    const DType dtype = node.attr("dtype").asType().value_or(DType::Invalid);
    const std::int64_t most = mostKnownElements(dtype);
    if (!proto || most < 0)
        return nullptr;
    const Result<Tensor> tensor = node.tensor();
    if (!tensor.ok() || tensor->dtype() != dtype || tensor->elements() > most)
        return nullptr;
    auto known = std::make_shared<KnownValues>();
    if (isKeptAsItems(dtype)) {
        const auto bytes = tensor->values();
        if (!bytes.ok())
            return nullptr;
        known->items = itemsOf(dtype, *bytes);
    } else {
        auto numbers = tensor->numbers(0, tensor->elements());
        if (!numbers.ok())
            return nullptr;
        known->floats = *std::move(numbers);
    }
    m_budget -= tensor->elements() + 1;
    return known;
}

} // namespace lapidary
