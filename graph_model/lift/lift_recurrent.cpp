// SPDX-License-Identifier: Apache-2.0
// Lifts LSTM, GRU and RNN of ONNX, LSTM and RNN of TFLite to a While over their steps.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/recurrent_functions.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Returns one row along the first axis, which is removed.
std::string rowOf(LiftDraft& d, const std::string& tensor, std::int64_t row)
{
    return d.step("GatherV2", {tensor, d.oneInt(row), d.oneInt(0)},
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

// Joins tensors of one shape along a new axis.
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

// An activation for which TensorFlow has an op, with its default parameters; 0 if it has none.
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

LiftedCell cellOf(std::string_view op)
{
    return op == "LSTM" ? LiftedCell::Lstm : op == "GRU" ? LiftedCell::Gru : LiftedCell::Plain;
}

std::size_t activationsOf(LiftedCell cell)
{
    return cell == LiftedCell::Lstm ? 3 : cell == LiftedCell::Gru ? 2 : 1;
}

std::int64_t gatesOf(LiftedCell cell)
{
    return cell == LiftedCell::Lstm ? 4 : cell == LiftedCell::Gru ? 3 : 1;
}

// Lifts an operator of ONNX, whose inputs (except x) have a first axis of directions.
class OnnxRecurrent {
public:
    explicit OnnxRecurrent(LiftDraft& draft)
        : m_draft(draft)
        , m_cell(cellOf(draft.node().op()))
        , m_rowsFirst(draft.intAttr("layout", 0) != 0)
    {
    }

    bool lift()
    {
        const auto shape = m_draft.shape(0);
        const auto weights = m_draft.dims(2);
        if ((shape && shape->dims.size() != 3) || !weights || weights->size() != 3 ||
            m_draft.intAttr("input_forget", 0) != 0 || m_draft.floatAttr("clip", 0) != 0 ||
            !readActivations())
            return false;
        m_units = (*weights)[2];
        if (m_units < 1 || m_units > mostUnits)
            return false;
        const auto directions = std::size_t((*weights)[0]);
        const std::string_view way = m_draft.textAttr("direction");
        if (directions != (way == "bidirectional" ? 2U : 1U))
            return false;
        std::array<std::vector<std::string>, 3> made;
        for (std::size_t i = 0; i < directions; ++i) {
            const auto outputs = direction(i, way == "reverse" || i == 1);
            for (std::size_t port = 0; port < made.size(); ++port)
                made[port].push_back(outputs[port]);
        }
        std::vector<std::string> outputs{pack(m_draft, made[0], 1), pack(m_draft, made[1], 0)};
        if (m_cell == LiftedCell::Lstm)
            outputs.push_back(pack(m_draft, made[2], 0));
        if (m_rowsFirst)
            outputs[0] = transposed(m_draft, outputs[0], DType::Float, {2, 0, 1, 3});
        for (std::size_t port = 1; m_rowsFirst && port < outputs.size(); ++port)
            outputs[port] = swapped(outputs[port]);
        const std::size_t count = m_draft.node().attr("_output_types").types().size();
        outputs.resize(std::clamp<std::size_t>(count, 1, outputs.size()));
        const std::size_t given = outputs.size();
        m_draft.give(std::move(outputs));
        describe(given, shape ? shape->dims : Ints(3, unknownDim), std::int64_t(directions));
        return true;
    }

private:
    // Sets the shapes of the first `count` outputs for an x of these sizes.
    void describe(std::size_t count, const Ints& x, std::int64_t directions)
    {
        TensorState state;
        state.dtype = DType::Float;
        for (std::size_t port = 0; port < count; ++port) {
            if (m_rowsFirst)
                state.shape = port == 0 ? Shape{{x[0], x[1], directions, m_units}, false}
                                        : Shape{{x[0], directions, m_units}, false};
            else
                state.shape = port == 0 ? Shape{{x[0], directions, x[1], m_units}, false}
                                        : Shape{{directions, x[1], m_units}, false};
            m_draft.describe(port, state);
        }
    }

    // Reads the activations of the attributes; the lists of parameters have one for each activation
    // that uses it. Returns false if TensorFlow has no op for one, or if directions differ.
    bool readActivations()
    {
        if (m_cell == LiftedCell::Plain)
            m_activations[0] = {"Tanh"};
        const auto names = m_draft.node().attr("activations").strings();
        const std::size_t each = activationsOf(m_cell);
        const auto alphas = m_draft.node().attr("activation_alpha").floats();
        const auto betas = m_draft.node().attr("activation_beta").floats();
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

    // Returns h of every step, the last h and the last c of a direction.
    std::vector<std::string> direction(std::size_t number, bool isReverse)
    {
        LiftedRecurrent layer;
        layer.cell = m_cell;
        layer.activations = m_activations;
        layer.resetsAfter = m_draft.intAttr("linear_before_reset", 0) != 0;
        layer.weights = rowOf(m_draft, m_draft.in(1), std::int64_t(number));
        layer.recurrent = rowOf(m_draft, m_draft.in(2), std::int64_t(number));
        readBias(layer, number);
        if (m_draft.has(4))
            layer.lengths = m_draft.in(4);
        const std::string x = m_rowsFirst ? swapped(m_draft.in(0)) : m_draft.in(0);
        layer.x = isReverse ? reversed(x, layer.lengths) : x;
        layer.h = firstState(5, number);
        if (m_cell == LiftedCell::Lstm) {
            layer.c = firstState(6, number);
            if (m_draft.has(7))
                layer.peepholes =
                    split(m_draft, rowOf(m_draft, m_draft.in(7), std::int64_t(number)), 3);
        }
        auto outputs = liftRecurrent(m_draft, layer);
        if (isReverse)
            outputs[0] = reversed(outputs[0], layer.lengths);
        return outputs;
    }

    void readBias(LiftedRecurrent& layer, std::size_t number)
    {
        if (m_draft.has(3)) {
            const auto halves =
                split(m_draft, rowOf(m_draft, m_draft.in(3), std::int64_t(number)), 2);
            layer.bias = halves[0];
            layer.ownBias = halves[1];
            return;
        }
        const std::int64_t all = m_units * gatesOf(m_cell);
        layer.bias = m_draft.floatList({all}, std::vector<float>(std::size_t(all), 0));
        layer.ownBias = layer.bias;
    }

    // Exchanges the first two axes.
    std::string swapped(const std::string& x)
    {
        return transposed(m_draft, x, DType::Float, {1, 0, 2});
    }

    std::string firstState(std::size_t slot, std::size_t number)
    {
        if (m_draft.has(slot))
            return rowOf(m_draft, m_rowsFirst ? swapped(m_draft.in(slot)) : m_draft.in(slot),
                         std::int64_t(number));
        const std::string sizes = m_draft.step("Shape", {m_draft.in(0)}, floats());
        const std::string rows = m_draft.step(
            "GatherV2", {sizes, m_draft.intList({m_rowsFirst ? 0 : 1}), m_draft.oneInt(0)},
            {typeAttr("Tparams", DType::Int32), typeAttr("Tindices", DType::Int32),
             typeAttr("Taxis", DType::Int32)});
        const std::string dims = m_draft.step(
            "ConcatV2", {rows, m_draft.intList({m_units}), m_draft.oneInt(0)},
            {typeAttr("T", DType::Int32), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(2)}});
        return m_draft.step("Fill", {dims, m_draft.oneFloat(0)},
                            {typeAttr("T", DType::Float), typeAttr("index_type", DType::Int32)});
    }

    std::string reversed(const std::string& sequence, const std::string& lengths)
    {
        if (lengths.empty())
            return m_draft.step("ReverseV2", {sequence, m_draft.intList({0})},
                                {typeAttr("T", DType::Float), typeAttr("Tidx", DType::Int32)});
        return m_draft.step("ReverseSequence", {sequence, lengths},
                            {typeAttr("T", DType::Float),
                             typeAttr("Tlen", DType::Int32),
                             {"seq_dim", attr::fromInt(0)},
                             {"batch_dim", attr::fromInt(1)}});
    }

    static constexpr std::int64_t mostUnits = 1 << 20;

    LiftDraft& m_draft;
    LiftedCell m_cell;
    bool m_rowsFirst; // x is [batch, steps, in], and outputs have the same order
    std::int64_t m_units = 0;
    std::vector<LiftedActivation> m_activations{{"Sigmoid"}, {"Tanh"}, {"Tanh"}};
};

// The inputs of TFLite's LSTM, whose gates are input, forget, candidate, output.
constexpr std::size_t peepholeSlot = 9;
constexpr std::size_t projectionSlot = 16;
constexpr std::size_t stateSlot = 18;
constexpr std::size_t normSlot = 20;

// Joins the tensors of the four gates, which begin at input `first`, in the order of
// LiftedRecurrent.
std::string gatesFrom(LiftDraft& d, std::size_t first)
{
    return concat(d, {d.in(first), d.in(first + 3), d.in(first + 1), d.in(first + 2)});
}

// Turns [batch, steps, ...] into [steps, batch, ...], and back.
std::string timesFirst(LiftDraft& d, const std::string& x)
{
    return transposed(d, x, DType::Float, {1, 0, 2});
}

// The inputs are x, weights, recurrent weights, bias and h.
bool liftTfliteRnn(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const std::string_view activation = d.textAttr("fused_activation_function");
    if (!shape || shape->dims.size() != 3 || d.type(0) != DType::Float || d.slots() != 5 ||
        (activation != "RELU" && activation != "TANH"))
        return false;
    const bool isTimeMajor = d.node().attr("time_major").asBool().value_or(false);
    LiftedRecurrent layer;
    layer.cell = LiftedCell::Plain;
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
