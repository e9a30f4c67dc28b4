// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN in one direction: the first axis of their weights is that of directions.
#include "graph_model/onnx/onnx_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;
using Kind = PortableKind;

std::string_view gateName(PortableGate gate)
{
    switch (gate) {
    case PortableGate::Sigmoid: return "Sigmoid";
    case PortableGate::HardSigmoid: return "HardSigmoid";
    case PortableGate::Tanh: return "Tanh";
    case PortableGate::Relu: break;
    }
    return "Relu";
}

// HardSigmoid gets parameters so that it neither scales nor shifts.
void addActivations(std::vector<OnnxAttribute>& attributes, const std::vector<PortableGate>& gates)
{
    OnnxAttribute names{.name = "activations", .type = OnnxAttribute::Type::Strings};
    OnnxAttribute scales{.name = "activation_alpha", .type = OnnxAttribute::Type::Floats};
    OnnxAttribute offsets{.name = "activation_beta", .type = OnnxAttribute::Type::Floats};
    for (const PortableGate gate : gates) {
        names.texts.emplace_back(gateName(gate));
        if (gate == PortableGate::HardSigmoid) {
            scales.reals.push_back(1);
            offsets.reals.push_back(0);
        }
    }
    attributes.push_back(std::move(names));
    if (scales.reals.empty())
        return;
    attributes.push_back(std::move(scales));
    attributes.push_back(std::move(offsets));
}

// Reorders [in, gates] to [1, gates, in].
std::string weights(OnnxDraft& draft, TensorIndex index)
{
    const PortableTensor& tensor = draft.portable(index);
    return draft.constant(tensor.name, tensor.dtype, {1, tensor.dims[1], tensor.dims[0]},
                          tensor.bytes.reordered(tensor.dims, {1, 0}, dtypeSize(tensor.dtype)),
                          tensor.quantized);
}

// Returns the bias of the products with x, followed by that of the products with h.
std::string bias(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& tensor = draft.portable(o.inputs[3]);
    std::vector<float> values = floatsOf(tensor);
    const auto all = std::size_t(draft.portable(o.inputs[1]).dims[1]);
    const std::vector<float> own(values.begin() + std::ptrdiff_t(all), values.end());
    values.resize(all);
    values.resize(2 * all - own.size());
    values.insert(values.end(), own.begin(), own.end());
    return draft.constant(tensor.name, DType::Float, {1, std::int64_t(values.size())},
                          bytesOf(values));
}

bool isZero(const PortableTensor& tensor)
{
    return tensor.isConstant &&
           std::ranges::all_of(floatsOf(tensor), [](float value) { return value == 0; });
}

// Returns the initial value of a state; omitted if it is 0.
std::string firstState(OnnxDraft& draft, TensorIndex index)
{
    const PortableTensor& state = draft.portable(index);
    if (isZero(state))
        return "";
    return draft.step(
        "Reshape",
        {draft.name(index, OnnxForm::Last), draft.ints({1, state.dims[0], state.dims[1]})},
        DType::Float, {1, state.dims[0], state.dims[1]});
}

std::string lengths(OnnxDraft& draft, TensorIndex index)
{
    if (index == noTensor)
        return "";
    const PortableTensor& tensor = draft.portable(index);
    const std::string given = draft.name(index, OnnxForm::Last);
    if (tensor.dtype == DType::Int32)
        return given;
    const std::string made = draft.step("Cast", {given}, DType::Int32, tensor.dims);
    draft.last().attributes = {onnxInt("to", onnxType(DType::Int32))};
    return made;
}

} // namespace

void appendOnnxRecurrent(OnnxDraft& draft, const PortableOperation& o)
{
    const bool isLstm = o.kind == Kind::Lstm;
    const std::size_t gates = isLstm ? 4 : o.kind == Kind::Gru ? 3 : 1;
    const std::int64_t units = draft.portable(o.inputs[1]).dims[1] / std::int64_t(gates);
    std::vector<std::string> inputs{inputLast(draft, o, 0), weights(draft, o.inputs[1]),
                                    weights(draft, o.inputs[2]), bias(draft, o)};
    const std::size_t states = isLstm ? 2 : 1;
    inputs.push_back(lengths(draft, o.input(4 + states)));
    for (std::size_t state = 0; state < states; ++state)
        inputs.push_back(firstState(draft, o.inputs[4 + state]));
    if (const TensorIndex peepholes = o.input(5 + states); peepholes != noTensor)
        inputs.push_back(draft.shared(peepholes, {1, 3 * units}));
    while (inputs.back().empty())
        inputs.pop_back();
    std::vector<OnnxAttribute> attributes{onnxInt("hidden_size", units)};
    if (o.kind == Kind::Gru)
        attributes.push_back(onnxInt("linear_before_reset", o.parameters.resetsAfter ? 1 : 0));
    addActivations(attributes, o.parameters.gates);
    const Ints sequence = draft.portable(o.outputs[0]).dims;
    const Ints state{1, sequence[1], sequence[2]};
    std::vector<std::string> made{draft.between(draft.portable(o.outputs[0]).name + "/directions",
                                                DType::Float,
                                                {sequence[0], 1, sequence[1], sequence[2]})};
    for (std::size_t port = 1; port < o.outputs.size(); ++port)
        made.push_back(draft.between(draft.portable(o.outputs[port]).name + "/direction",
                                     DType::Float, state));
    const std::string_view op = isLstm ? "LSTM" : o.kind == Kind::Gru ? "GRU" : "RNN";
    draft.append(std::string(op), std::move(inputs), made).attributes = std::move(attributes);
    for (std::size_t port = 0; port < made.size(); ++port)
        draft.append("Squeeze", {made[port], draft.ints({port == 0 ? 1 : 0})},
                     {outputLast(draft, o, port)});
}

} // namespace lapidary
