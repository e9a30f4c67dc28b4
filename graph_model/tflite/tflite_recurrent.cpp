// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM and _RNN keep their states from run to run. TensorFlow's graphs
// start anew in each run, so an operator before them writes the initial values into the states.
#include "graph_model/tflite/tflite_draft.h"

#include <array>

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int32_t sequenceRnn = 35;
constexpr std::uint8_t sequenceRnnOptions = 31;
constexpr std::int32_t sequenceLstm = 44;
constexpr std::uint8_t sequenceLstmOptions = 71;
constexpr std::size_t gateCount = 4;
// The order of the format: input, forget, candidate, output.
constexpr std::array<std::size_t, gateCount> gateOrder{0, 2, 3, 1};
constexpr std::array<std::string_view, gateCount> gateNames{"input", "forget", "cell", "output"};

// Returns columns [first, first + count) of a matrix, as rows.
std::string columnsAsRows(const std::vector<float>& values, std::size_t columns, std::size_t first,
                          std::size_t count)
{
    const std::size_t rows = columns == 0 ? 0 : values.size() / columns;
    std::vector<float> turned;
    turned.reserve(rows * count);
    for (std::size_t column = first; column < first + count; ++column)
        for (std::size_t row = 0; row < rows; ++row)
            turned.push_back(values[row * columns + column]);
    return bytesOf(turned);
}

// Adds a matrix [units, in] for each gate.
void addMatrices(TfliteDraft& draft, const PortableOperation& o, std::size_t slot,
                 std::string_view what, std::vector<std::int32_t>& inputs)
{
    const PortableTensor& all = draft.portable(o.inputs[slot]);
    const std::vector<float> values = floatsOf(all);
    const std::size_t units = std::size_t(all.dims[1]) / gateCount;
    for (std::size_t gate = 0; gate < gateCount; ++gate) {
        PortableTensor like;
        like.name = besides(draft, o, std::string(what) + "_to_" + std::string(gateNames[gate]));
        inputs.push_back(draft.addConstant(
            like, {std::int64_t(units), all.dims[0]},
            columnsAsRows(values, std::size_t(all.dims[1]), gateOrder[gate] * units, units)));
    }
}

std::int32_t addPart(TfliteDraft& draft, std::string name, const std::vector<float>& values,
                     std::size_t part, std::size_t units)
{
    PortableTensor like;
    like.name = std::move(name);
    const auto first = values.begin() + std::ptrdiff_t(part * units);
    return draft.addConstant(like, {std::int64_t(units)},
                             bytesOf({first, first + std::ptrdiff_t(units)}));
}

// Adds the peepholes of input, forget and output gate.
void addPeepholes(TfliteDraft& draft, const PortableOperation& o, std::size_t units,
                  std::vector<std::int32_t>& inputs)
{
    const TensorIndex peepholes = o.input(7);
    const std::vector<float> values =
        peepholes == noTensor ? std::vector<float>() : floatsOf(draft.portable(peepholes));
    for (const std::size_t gate : {0U, 1U, 3U})
        inputs.push_back(peepholes == noTensor
                             ? noTensor
                             : addPart(draft,
                                       besides(draft, o, "cell_to_" + std::string(gateNames[gate])),
                                       values, gateOrder[gate], units));
}

void addBiases(TfliteDraft& draft, const PortableOperation& o, std::size_t units,
               std::vector<std::int32_t>& inputs)
{
    const std::vector<float> values = floatsOf(draft.portable(o.inputs[3]));
    for (std::size_t gate = 0; gate < gateCount; ++gate)
        inputs.push_back(addPart(draft, besides(draft, o, std::string(gateNames[gate]) + "_bias"),
                                 values, gateOrder[gate], units));
}

// Adds a value that is false in every run, but computed from the input: runtimes compute values
// only once that depend only on constants, and the states would then keep values from the previous
// run.
std::int32_t addNever(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const std::int32_t number = draft.addComputed(x, besides(draft, o, "number"), {});
    draft.append(
        {.code = 45,
         .optionsType = 32,
         .options = {intOption(4, 7)},
         .inputs = {draft.place(o.inputs[0]), draft.addInts(besides(draft, o, "begin"), {0, 0, 0}),
                    draft.addInts(besides(draft, o, "end"), {1, 1, 1}),
                    draft.addInts(besides(draft, o, "step"), {1, 1, 1})},
         .outputs = {number}});
    PortableTensor truth;
    truth.dtype = DType::Bool;
    const std::int32_t never = draft.addComputed(truth, besides(draft, o, "never"), {});
    draft.append({.code = 58, .optionsType = 41, .inputs = {number, number}, .outputs = {never}});
    return never;
}

// Adds the states, h and possibly c, set to their initial values.
std::vector<std::int32_t> addFreshStates(TfliteDraft& draft, const PortableOperation& o,
                                         std::size_t count)
{
    constexpr std::array<std::string_view, 2> names{"output_state", "cell_state"};
    constexpr std::size_t firstSlot = 4;
    std::vector<std::int32_t> states(count);
    std::int32_t never = noTensor;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const TensorIndex first = o.inputs[firstSlot + i];
        const Ints& dims = draft.portable(first).dims;
        states[i] = draft.addState(besides(draft, o, names[i]), dims);
        const std::int32_t from = draft.place(first);
        if (draft.model().isConstant(first)) {
            never = never == noTensor ? addNever(draft, o) : never;
            draft.append({.code = 123,
                          .optionsType = 98,
                          .inputs = {never, from, from},
                          .outputs = {states[i]}});
            continue;
        }
        draft.append({.code = 22,
                      .optionsType = 17,
                      .inputs = {from, draft.addInts(besides(draft, o, "sizes"), dims)},
                      .outputs = {states[i]}});
    }
    return states;
}

constexpr std::int64_t reluActivation = 1;
constexpr std::int64_t tanhActivation = 4;

void appendRnn(TfliteDraft& draft, const PortableOperation& o)
{
    const auto matrix = [&](std::size_t slot, std::string_view what) {
        const PortableTensor& all = draft.portable(o.inputs[slot]);
        const auto units = std::size_t(all.dims[1]);
        PortableTensor like;
        like.name = besides(draft, o, what);
        return draft.addConstant(like, {all.dims[1], all.dims[0]},
                                 columnsAsRows(floatsOf(all), units, 0, units));
    };
    std::vector<std::int32_t> inputs{draft.place(o.inputs[0]), matrix(1, "input_weights"),
                                     matrix(2, "recurrent_weights")};
    const std::vector<float> bias = floatsOf(draft.portable(o.inputs[3]));
    inputs.push_back(addPart(draft, besides(draft, o, "bias"), bias, 0, bias.size()));
    inputs.push_back(addFreshStates(draft, o, 1).front());
    const bool isRelu = o.parameters.gates.at(0) == PortableGate::Relu;
    draft.append(
        {.code = sequenceRnn,
         .optionsType = sequenceRnnOptions,
         .options = {boolOption(0, true), byteOption(1, isRelu ? reluActivation : tanhActivation)},
         .inputs = std::move(inputs),
         .outputs = {draft.place(o.outputs[0])}});
}

} // namespace

Status appendTfliteRecurrent(TfliteDraft& draft, const PortableOperation& o)
{
    if (o.kind == PortableKind::Rnn)
        return appendRnn(draft, o), Done{};
    if (o.kind != PortableKind::Lstm)
        return Error{ErrorCode::Unsupported,
                     "TFLite has no operator for a " + std::string(portableKindName(o.kind))};
    const auto units = std::size_t(draft.portable(o.inputs[1]).dims[1]) / gateCount;
    std::vector<std::int32_t> inputs{draft.place(o.inputs[0])};
    addMatrices(draft, o, 1, "input", inputs);
    addMatrices(draft, o, 2, "recurrent", inputs);
    addPeepholes(draft, o, units, inputs);
    addBiases(draft, o, units, inputs);
    constexpr std::size_t projection = 2; // weights and bias of the projection
    inputs.insert(inputs.end(), projection, noTensor);
    for (const std::int32_t state : addFreshStates(draft, o, 2))
        inputs.push_back(state);
    inputs.insert(inputs.end(), gateCount, noTensor); // coefficients of a normalization
    const bool isRelu = o.parameters.gates.at(1) == PortableGate::Relu;
    draft.append(
        {.code = sequenceLstm,
         .optionsType = sequenceLstmOptions,
         .options = {byteOption(0, isRelu ? reluActivation : tanhActivation), boolOption(3, true)},
         .inputs = std::move(inputs),
         .outputs = {draft.place(o.outputs[0])}});
    return Done{};
}

} // namespace lapidary
