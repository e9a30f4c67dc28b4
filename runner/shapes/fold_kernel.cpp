// SPDX-License-Identifier: Apache-2.0
#include "runner/shapes/fold_kernel.h"

#include "graph_model/binding/bind_node.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/narrow_float.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <any>
#include <cstring>
#include <memory>
#include <optional>

namespace lapidary {
namespace {

constexpr std::uint64_t kernelMemory = std::uint64_t(16) << 20;

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

template <class T>
std::vector<double> doublesOf(const Value& value)
{
    std::vector<double> doubles;
    for (const T item : value.as<T>())
        doubles.push_back(double(float(item)));
    return doubles;
}

std::optional<std::vector<double>> floatsOf(const Value& value)
{
    switch (value.dtype()) {
    case DType::Half: return doublesOf<Half>(value);
    case DType::Float: return doublesOf<float>(value);
    case DType::Double: {
        const auto all = value.as<double>();
        return std::vector<double>(all.begin(), all.end());
    }
    default: return std::nullopt;
    }
}

template <class T>
void storeAs(const std::vector<double>& numbers, Value& value)
{
    const auto all = value.mutableAs<T>();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = T(numbers[i]);
}

void storeFloats(const std::vector<double>& numbers, Value& value)
{
    switch (value.dtype()) {
    case DType::Half: {
        const auto all = value.mutableAs<Half>();
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = Half(float(numbers[i]));
        return;
    }
    case DType::Float: return storeAs<float>(numbers, value);
    case DType::Double: return storeAs<double>(numbers, value);
    default: return;
    }
}

// Returns whether the node may be computed here: its outputs are the same in every run, and depend
// only on numbers.
bool isPure(const Node& node, const OpSpec& spec)
{
    return !spec.isStateful && !spec.inputs.empty() && node.op() != "PlaceholderWithDefault" &&
           controlFlow(node.op()) == ControlFlow::None;
}

class KernelFolder {
public:
    void fold(const Node& node, std::span<const TensorState> inputs,
              std::span<TensorState> outputs);

private:
    std::optional<Value> valueOf(const TensorState& state);

    SessionState m_session{kernelMemory};
};

std::optional<Value> KernelFolder::valueOf(const TensorState& state)
{
    const auto count = elementCount(state.shape);
    const std::size_t kept =
        state.known->floats ? state.known->floats->size() : state.known->items.size();
    if (state.shape.unknownRank || !count || *count != std::int64_t(kept) ||
        isKeptAsItems(state.dtype) == state.known->floats.has_value())
        return std::nullopt;
    auto value = Value::make(state.dtype, state.shape.dims, m_session.pool);
    if (!value.ok())
        return std::nullopt;
    if (state.known->floats)
        storeFloats(*state.known->floats, *value);
    else
        storeItems(state.known->items, *value);
    return *std::move(value);
}

KnownValuesPtr knownOf(const Value& value)
{
    if (value.elements() > mostKnownElements(value.dtype()))
        return nullptr;
    auto known = std::make_shared<KnownValues>();
    if (isKeptAsItems(value.dtype()))
        itemsOf(value, known->items);
    else
        known->floats = floatsOf(value);
    return known;
}

void KernelFolder::fold(const Node& node, std::span<const TensorState> inputs,
                        std::span<TensorState> outputs)
{
    const OpSpec* spec = findOp(node.op());
    const Kernel* kernel = findKernel(node.op());
    if (spec == nullptr || kernel == nullptr || !isPure(node, *spec) ||
        inputLength(node, *spec) != std::int64_t(inputs.size()) ||
        outputLength(node, *spec) != std::int64_t(outputs.size()) || !bindAttrs(node) ||
        !checkRegisteredTypes(node))
        return;
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto value = valueOf(inputs[i]);
        if (!value || value->dtype() != inputDtype(node, *spec, std::int64_t(i)))
            return;
        arguments.push_back(std::move(*value));
    }
    for (const TensorState& output : outputs) {
        const auto count = elementCount(output.shape);
        if (output.shape.unknownRank || !count || *count > mostKnownElements(output.dtype))
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
    if (!runChecked(*kernel, context))
        return;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (results[i].isSet() && results[i].dtype() == outputs[i].dtype &&
            results[i].dims() == outputs[i].shape.dims)
            outputs[i].known = knownOf(results[i]);
}

} // namespace

FoldKernel foldByKernels()
{
    return [folder = std::make_shared<KernelFolder>()](
               const Node& node, std::span<const TensorState> inputs,
               std::span<TensorState> outputs) { folder->fold(node, inputs, outputs); };
}

} // namespace lapidary
