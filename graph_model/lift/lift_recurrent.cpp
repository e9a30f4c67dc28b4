// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN of ONNX, LSTM and RNN of TFLite: a While over their steps.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/recurrent_functions.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Row `place` of the first axis.
std::string rowOf(LiftDraft& d, const std::string& tensor, std::int64_t place)
{
    return d.step("GatherV2", {tensor, d.oneInt(place), d.oneInt(0)},
                  {typeAttr("Tparams", DType::Float), typeAttr("Tindices", DType::Int32),
                   typeAttr("Taxis", DType::Int32)});
}

std::vector<std::string> split(LiftDraft& d, const std::string& list, std::int64_t count)
{
    const std::string made =
        d.step("Split", {d.oneInt(0), list},
               {typeAttr("T", DType::Float), {"num_split", attr::fromInt(count)}});
    std::vector<std::string> parts;
    for (std::int64_t port = 0; port < count; ++port)
        parts.push_back(outputText(made, std::int32_t(port)));
    return parts;
}

// The axes that a direction adds, or a list of tensors along a new axis.
std::string pack(LiftDraft& d, const std::vector<std::string>& parts, std::int64_t axis)
{
    return d.step("Pack", parts,
                  {typeAttr("T", DType::Float),
                   {"N", attr::fromInt(std::int64_t(parts.size()))},
                   {"axis", attr::fromInt(axis)}});
}

std::string concat(LiftDraft& d, std::vector<std::string> parts)
{
    const auto count = std::int64_t(parts.size());
    parts.push_back(d.oneInt(0));
    return d.step(
        "ConcatV2", std::move(parts),
        {typeAttr("T", DType::Float), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(count)}});
}

// What TensorFlow has an op for, with the numbers that hold where none are given; 0: it reads none.
struct Activation {
    std::string_view name;
    float alpha = 0;
    float beta = 0;
};
constexpr std::array knownActivations = std::to_array<Activation>({{"Elu", 1},
                                                                   {"HardSigmoid", 0.2F, 0.5F},
                                                                   {"LeakyRelu", 0.01F},
                                                                   {"Relu"},
                                                                   {"Sigmoid"},
                                                                   {"Softplus"},
                                                                   {"Softsign"},
                                                                   {"Tanh"}});

// Operators of ONNX, whose inputs have an axis of directions in front (x has none).
class OnnxRecurrent {
public:
    explicit OnnxRecurrent(LiftDraft& draft)
        : d(draft)
        , m_isLstm(draft.node().op() == "LSTM")
        , m_isPlain(draft.node().op() == "RNN")
        , m_rowsFirst(draft.intAttr("layout", 0) != 0)
        , m_gates(m_isLstm    ? 4
                  : m_isPlain ? 1
                              : 3)
    {
    }

    bool lift()
    {
        const auto shape = d.shape(0);
        const auto weights = d.dims(2);
        if ((shape && shape->dims.size() != 3) || !weights || weights->size() != 3 ||
            d.intAttr("input_forget", 0) != 0 || d.floatAttr("clip", 0) != 0 || !readActivations())
            return false;
        m_units = (*weights)[2];
        if (m_units < 1 || m_units > mostUnits)
            return false;
        const auto directions = std::size_t((*weights)[0]);
        const std::string_view way = d.textAttr("direction");
        if (directions != (way == "bidirectional" ? 2U : 1U))
            return false;
        std::array<std::vector<std::string>, 3> made;
        for (std::size_t i = 0; i < directions; ++i) {
            const auto outputs = direction(i, way == "reverse" || i == 1);
            for (std::size_t port = 0; port < made.size(); ++port)
                made[port].push_back(outputs[port]);
        }
        std::vector<std::string> outputs{pack(d, made[0], 1), pack(d, made[1], 0)};
        if (m_isLstm)
            outputs.push_back(pack(d, made[2], 0));
        if (m_rowsFirst)
            outputs[0] = transposed(d, outputs[0], DType::Float, {2, 0, 1, 3});
        for (std::size_t port = 1; m_rowsFirst && port < outputs.size(); ++port)
            outputs[port] = swapped(outputs[port]);
        const std::size_t count = d.node().attr("_output_types").types().size();
        outputs.resize(std::clamp<std::size_t>(count, 1, outputs.size()));
        const std::size_t given = outputs.size();
        d.give(std::move(outputs));
        const auto all = std::int64_t(directions);
        const Ints x = shape ? shape->dims : Ints(3, unknownDim);
        TensorState state;
        state.dtype = DType::Float;
        for (std::size_t port = 0; port < given; ++port) {
            if (m_rowsFirst)
                state.shape = port == 0 ? Shape{{x[0], x[1], all, m_units}, false}
                                        : Shape{{x[0], all, m_units}, false};
            else
                state.shape = port == 0 ? Shape{{x[0], all, x[1], m_units}, false}
                                        : Shape{{all, x[1], m_units}, false};
            d.describe(port, state);
        }
        return true;
    }

private:
    // Numbers are given to those activations that read some, in their order.
    bool readActivations()
    {
        if (m_isPlain)
            m_activations[0] = {"Tanh"};
        const auto names = d.node().attr("activations").strings();
        const std::size_t each = m_isLstm ? 3 : m_isPlain ? 1 : 2;
        const auto alphas = d.node().attr("activation_alpha").floats();
        const auto betas = d.node().attr("activation_beta").floats();
        auto alpha = alphas.begin();
        auto beta = betas.begin();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto known = std::ranges::find(knownActivations, names[i], &Activation::name);
            if (known == knownActivations.end())
                return false;
            LiftedActivation read{std::string(known->name), known->alpha, known->beta};
            if (known->alpha != 0 && alpha != alphas.end())
                read.alpha = *alpha++;
            if (known->beta != 0 && beta != betas.end())
                read.beta = *beta++;
            const bool isElu = read.op == "Elu";
            if ((isElu && read.alpha != 1) || (i >= each && read != m_activations[i % each]))
                return false;
            if (i < each)
                m_activations[i] = std::move(read);
        }
        return true;
    }

    std::vector<std::string> direction(std::size_t place, bool isReverse)
    {
        LiftedRecurrent layer;
        layer.isLstm = m_isLstm;
        layer.isPlain = m_isPlain;
        layer.activations = m_activations;
        layer.resetsAfter = d.intAttr("linear_before_reset", 0) != 0;
        layer.weights = rowOf(d, d.in(1), std::int64_t(place));
        layer.recurrent = rowOf(d, d.in(2), std::int64_t(place));
        readBias(layer, place);
        if (d.has(4))
            layer.lengths = d.in(4);
        const std::string x = m_rowsFirst ? swapped(d.in(0)) : d.in(0);
        layer.x = isReverse ? reversed(x, layer.lengths) : x;
        layer.h = firstState(5, place);
        if (m_isLstm) {
            layer.c = firstState(6, place);
            if (d.has(7))
                layer.peepholes = split(d, rowOf(d, d.in(7), std::int64_t(place)), 3);
        }
        auto outputs = liftRecurrent(d, layer);
        if (isReverse)
            outputs[0] = reversed(outputs[0], layer.lengths);
        return outputs;
    }

    void readBias(LiftedRecurrent& layer, std::size_t place)
    {
        if (d.has(3)) {
            const auto halves = split(d, rowOf(d, d.in(3), std::int64_t(place)), 2);
            layer.bias = halves[0];
            layer.ownBias = halves[1];
            return;
        }
        const std::int64_t all = m_units * m_gates;
        layer.bias = d.floatList({all}, std::vector<float>(std::size_t(all), 0));
        layer.ownBias = layer.bias;
    }

    // The first two axes exchanged.
    std::string swapped(const std::string& x) { return transposed(d, x, DType::Float, {1, 0, 2}); }

    std::string firstState(std::size_t slot, std::size_t place)
    {
        if (d.has(slot))
            return rowOf(d, m_rowsFirst ? swapped(d.in(slot)) : d.in(slot), std::int64_t(place));
        const std::string sizes = d.step("Shape", {d.in(0)}, floats());
        const std::string rows =
            d.step("GatherV2", {sizes, d.intList({m_rowsFirst ? 0 : 1}), d.oneInt(0)},
                   {typeAttr("Tparams", DType::Int32), typeAttr("Tindices", DType::Int32),
                    typeAttr("Taxis", DType::Int32)});
        const std::string dims = d.step(
            "ConcatV2", {rows, d.intList({m_units}), d.oneInt(0)},
            {typeAttr("T", DType::Int32), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(2)}});
        return d.step("Fill", {dims, d.oneFloat(0)},
                      {typeAttr("T", DType::Float), typeAttr("index_type", DType::Int32)});
    }

    std::string reversed(const std::string& sequence, const std::string& lengths)
    {
        if (lengths.empty())
            return d.step("ReverseV2", {sequence, d.intList({0})},
                          {typeAttr("T", DType::Float), typeAttr("Tidx", DType::Int32)});
        return d.step("ReverseSequence", {sequence, lengths},
                      {typeAttr("T", DType::Float),
                       typeAttr("Tlen", DType::Int32),
                       {"seq_dim", attr::fromInt(0)},
                       {"batch_dim", attr::fromInt(1)}});
    }

    static constexpr std::int64_t mostUnits = 1 << 20;

    LiftDraft& d;
    bool m_isLstm;
    bool m_isPlain;
    bool m_rowsFirst; // x is [batch, steps, in], and so is what is made
    std::int64_t m_gates;
    std::int64_t m_units = 0;
    std::vector<LiftedActivation> m_activations{{"Sigmoid"}, {"Tanh"}, {"Tanh"}};
};

// Inputs of TFLite's operator; its gates are input, forget, candidate, output.
constexpr std::size_t peepholeSlot = 9;
constexpr std::size_t projectionSlot = 16;
constexpr std::size_t stateSlot = 18;
constexpr std::size_t normSlot = 20;

// Four tensors from that slot on, in the order of LiftedRecurrent.
std::string gatesFrom(LiftDraft& d, std::size_t first)
{
    return concat(d, {d.in(first), d.in(first + 3), d.in(first + 1), d.in(first + 2)});
}

// [times, rows, ...] of [rows, times, ...], and back.
std::string timesFirst(LiftDraft& d, const std::string& x)
{
    return transposed(d, x, DType::Float, {1, 0, 2});
}

// x, weights, recurrent weights, bias, h.
bool liftTfliteRnn(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const std::string_view activation = d.textAttr("fused_activation_function");
    if (!shape || shape->dims.size() != 3 || d.type(0) != DType::Float || d.slots() != 5 ||
        (activation != "RELU" && activation != "TANH"))
        return false;
    const bool isTimeMajor = d.node().attr("time_major").asBool().value_or(false);
    LiftedRecurrent layer;
    layer.isLstm = false;
    layer.isPlain = true;
    layer.x = isTimeMajor ? d.in(0) : timesFirst(d, d.in(0));
    layer.weights = d.in(1);
    layer.recurrent = d.in(2);
    layer.bias = d.in(3);
    layer.ownBias = d.oneFloat(0);
    layer.h = d.in(4);
    layer.activations[0] = {activation == "RELU" ? "Relu" : "Tanh"};
    const std::string made = liftRecurrent(d, layer).front();
    d.give({isTimeMajor ? made : timesFirst(d, made)});
    return true;
}

} // namespace

bool liftOnnxRecurrent(LiftDraft& draft)
{
    const std::string_view op = draft.node().op();
    return (op == "LSTM" || op == "GRU" || op == "RNN") && OnnxRecurrent(draft).lift();
}

bool liftTfliteRecurrent(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (op == "UNIDIRECTIONAL_SEQUENCE_RNN")
        return liftTfliteRnn(d);
    const auto shape = d.shape(0);
    if (op != "UNIDIRECTIONAL_SEQUENCE_LSTM" || !shape || shape->dims.size() != 3 || !d.has(1) ||
        d.has(projectionSlot) || d.has(projectionSlot + 1) || d.has(normSlot))
        return false;
    const std::string_view activation = d.textAttr("fused_activation_function");
    if (activation != "RELU" && activation != "TANH")
        return false;
    const bool isTimeMajor = d.node().attr("time_major").asBool().value_or(false);
    LiftedRecurrent layer;
    layer.x = isTimeMajor ? d.in(0) : timesFirst(d, d.in(0));
    layer.weights = gatesFrom(d, 1);
    layer.recurrent = gatesFrom(d, 5);
    layer.bias = gatesFrom(d, 12);
    layer.ownBias = d.oneFloat(0);
    layer.clip = d.floatAttr("cell_clip", 0);
    if (d.has(peepholeSlot))
        layer.peepholes = {d.in(peepholeSlot), d.in(peepholeSlot + 2), d.in(peepholeSlot + 1)};
    layer.h = d.in(stateSlot);
    layer.c = d.in(stateSlot + 1);
    if (activation == "RELU")
        layer.activations = {{"Sigmoid"}, {"Relu"}, {"Relu"}};
    const std::string made = liftRecurrent(d, layer).front();
    d.give({isTimeMajor ? made : timesFirst(d, made)});
    return true;
}

} // namespace lapidary
