#include "runner/shapes/fold_values.h"

#include "graph_model/ops/node_signature.h"
#include "runner/shapes/fold_items.h"

#include <algorithm>
#include <any>
#include <array>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::uint64_t kernelMemory = std::uint64_t(16) << 20;
constexpr std::int64_t totalElements = 8 << 20;
constexpr std::int64_t maxFloats = 64; // floats say sizes only by the way, and are mostly weights

// Ops whose outputs are their first input as it is, wherever it comes from.
constexpr std::array<std::string_view, 20> passOps{
    "CheckNumerics", "DebugIdentity", "DebugIdentityV2", "EnsureShape",
    "Enter",         "Exit",          "GuaranteeConst",  "Identity",
    "LoopCond",      "NextIteration", "PreventGradient", "Print",
    "RefEnter",      "RefExit",       "RefIdentity",     "RefNextIteration",
    "RefSwitch",     "Snapshot",      "StopGradient",    "Switch",
};

bool hasItems(DType dtype)
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

bool isFloating(DType dtype)
{
    return dtype == DType::Float || dtype == DType::Double || dtype == DType::Half;
}

std::int64_t limitFor(DType dtype)
{
    return hasItems(dtype) ? maxKnownElements : isFloating(dtype) ? maxFloats : -1;
}

template <class T>
void widen(const Value& value, std::vector<std::int64_t>& items)
{
    for (const T item : value.as<T>())
        items.push_back(std::int64_t(item));
}

void itemsOf(const Value& value, std::vector<std::int64_t>& items)
{
    switch (value.dtype()) {
    case DType::Bool: return widen<bool>(value, items);
    case DType::Int8: return widen<std::int8_t>(value, items);
    case DType::Int16: return widen<std::int16_t>(value, items);
    case DType::Int32: return widen<std::int32_t>(value, items);
    case DType::Int64: return widen<std::int64_t>(value, items);
    case DType::UInt8: return widen<std::uint8_t>(value, items);
    case DType::UInt16: return widen<std::uint16_t>(value, items);
    default: return;
    }
}

void storeItems(const std::vector<std::int64_t>& items, Value& value)
{
    auto* bytes = reinterpret_cast<char*>(value.mutableAs<std::int8_t>().data());
    const std::size_t size = dtypeSize(value.dtype());
    for (std::size_t i = 0; i < items.size(); ++i)
        std::memcpy(bytes + i * size, &items[i], size);
}

// What may be computed here: the same in every run, from numbers alone.
bool isPure(const Node& node, const OpSpec& spec)
{
    return !spec.isStateful && !spec.inputs.empty() && node.op() != "PlaceholderWithDefault" &&
           node.op() != "Merge" && node.op() != "Switch";
}

bool sameValues(const KnownValuesPtr& a, const KnownValuesPtr& b)
{
    return a && b && !a->full.isSet() && !b->full.isSet() && a->items == b->items;
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

} // namespace

ValueFolder::ValueFolder()
    : m_session(kernelMemory)
    , m_budget(totalElements)
{
}

void ValueFolder::fold(const Node& node, std::span<const TensorState> inputs,
                       std::span<TensorState> outputs)
{
    if (outputs.empty() || m_budget <= 0)
        return;
    const std::string_view op = node.op();
    if (op == "Const" || op == "HostConst") {
        outputs[0].known = constant(node);
    } else if (std::ranges::binary_search(passOps, op)) {
        for (TensorState& output : outputs)
            if (!inputs.empty()) {
                output.known = inputs[0].known;
                output.handle = inputs[0].handle;
            }
    } else if (op == "IdentityN") {
        for (std::size_t i = 0; i < std::min(inputs.size(), outputs.size()); ++i) {
            outputs[i].known = inputs[i].known;
            outputs[i].handle = inputs[i].handle;
        }
    } else if (op == "Merge" || op == "RefMerge") {
        mergeKnown(inputs, outputs[0]);
        mergeHandles(inputs, outputs[0]);
    } else {
        const auto lists = foldItems(node, inputs, outputs);
        for (std::size_t i = 0; i < std::min(lists.size(), outputs.size()); ++i) {
            const auto count = elementCount(outputs[i].shape);
            if (outputs[i].shape.unknownRank || !count || *count != std::int64_t(lists[i].size()) ||
                *count > maxKnownElements)
                continue;
            m_budget -= *count + 1;
            outputs[i].known = std::make_shared<KnownValues>(KnownValues{lists[i], {}});
        }
        if (!outputs[0].known)
            runKernel(node, inputs, outputs);
    }
}

KnownValuesPtr ValueFolder::constant(const Node& node)
{
    const auto proto = node.attr("value").asTensorProto();
    const DType dtype = node.attr("dtype").asType().value_or(DType::Invalid);
    if (!proto || limitFor(dtype) < 0)
        return nullptr;
    const Result<Tensor> tensor = node.tensor();
    if (!tensor.ok() || tensor.value().dtype() != dtype ||
        tensor.value().elements() > limitFor(dtype))
        return nullptr;
    const auto value = Value::ofTensor(tensor.value(), node.owner(), m_session.pool);
    return value.ok() ? valuesOf(value.value()) : nullptr;
}

KnownValuesPtr ValueFolder::valuesOf(const Value& value)
{
    if (value.elements() > limitFor(value.dtype()))
        return nullptr;
    m_budget -= value.elements() + 1;
    auto known = std::make_shared<KnownValues>();
    if (hasItems(value.dtype()))
        itemsOf(value, known->items);
    else
        known->full = value;
    return known;
}

std::optional<Value> ValueFolder::complete(const TensorState& state)
{
    if (!state.known || !state.known->isComplete())
        return std::nullopt;
    if (state.known->full.isSet())
        return state.known->full;
    const auto count = elementCount(state.shape);
    if (state.shape.unknownRank || !count || *count != std::int64_t(state.known->items.size()) ||
        !hasItems(state.dtype))
        return std::nullopt;
    auto value = Value::make(state.dtype, state.shape.dims, m_session.pool);
    if (!value.ok())
        return std::nullopt;
    storeItems(state.known->items, value.value());
    return std::move(value).value();
}

void ValueFolder::runKernel(const Node& node, std::span<const TensorState> inputs,
                            std::span<TensorState> outputs)
{
    const auto isKnown = [](const TensorState& input) {
        return input.known && input.known->isComplete();
    };
    if (!std::ranges::all_of(inputs, isKnown))
        return;
    const OpSpec* spec = findOp(node.op());
    const Kernel* kernel = findKernel(node.op());
    if (spec == nullptr || kernel == nullptr || !isPure(node, *spec) ||
        inputLength(node, *spec) != std::int64_t(inputs.size()) ||
        outputLength(node, *spec) != std::int64_t(outputs.size()) || !checkRegisteredTypes(node))
        return;
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto value = complete(inputs[i]);
        if (!value || value->dtype() != inputDtype(node, *spec, std::int64_t(i)))
            return;
        arguments.push_back(std::move(*value));
    }
    for (const TensorState& output : outputs) {
        const auto count = elementCount(output.shape);
        if (output.shape.unknownRank || !count || *count > limitFor(output.dtype))
            return;
    }
    std::vector<Value> results(outputs.size());
    std::any state;
    const Job job;
    const CallFunction noCalls = [](std::string_view, const AttrValue&,
                                    std::span<const Value>) -> Result<std::vector<Value>> {
        return Error{ErrorCode::Unsupported, "functions are not folded"};
    };
    KernelContext context(node, arguments, results, m_session, state, job, noCalls);
    if (!kernel->run(context))
        return;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (results[i].isSet() && results[i].dtype() == outputs[i].dtype &&
            results[i].dims() == outputs[i].shape.dims)
            outputs[i].known = valuesOf(results[i]);
}

} // namespace lapidary
