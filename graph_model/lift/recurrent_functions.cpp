// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/recurrent_functions.h"

#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lifted_functions.h"

#include <algorithm>

namespace lapidary {
namespace {

using Attrs = LiftDraft::Attrs;

// Positions of the first arguments of both functions; those before ProductsArg change from step to
// step.
enum Argument : std::size_t { StepArg, StepCountArg, ListArg, HArg, CArg, ProductsArg };

std::string argumentName(std::size_t index)
{
    return "a" + std::to_string(index);
}

// Builds the body of a function.
class FunctionBody {
public:
    explicit FunctionBody(const std::vector<DType>& types)
    {
        for (std::size_t i = 0; i < types.size(); ++i)
            addInterfaceNode(argumentName(i), "_Arg", {}, types[i], i);
    }

    std::string add(std::string_view op, std::vector<std::string> inputs, Attrs attrs)
    {
        NodeDraft draft;
        draft.name = "n" + std::to_string(m_parts.nodes.size());
        draft.op = op;
        draft.inputs = std::move(inputs);
        draft.attrs = std::move(attrs);
        m_parts.nodes.push_back(draft.finish());
        return std::string(m_parts.nodes.back()->name());
    }

    std::string plain(std::string_view op, std::vector<std::string> inputs)
    {
        return add(op, std::move(inputs), {typeAttr("T", DType::Float)});
    }

    std::string oneInt(std::int32_t value)
    {
        NodeDraft draft = liftedInt32("n" + std::to_string(m_parts.nodes.size()), value);
        m_parts.nodes.push_back(draft.finish());
        return std::string(m_parts.nodes.back()->name());
    }

    std::string oneFloat(float value)
    {
        NodeDraft draft = liftedFloat("n" + std::to_string(m_parts.nodes.size()), value);
        m_parts.nodes.push_back(draft.finish());
        return std::string(m_parts.nodes.back()->name());
    }

    GraphPtr finish(const std::vector<std::string>& results, const std::vector<DType>& types) &&
    {
        for (std::size_t i = 0; i < results.size(); ++i)
            addInterfaceNode("r" + std::to_string(i), "_Retval", {results[i]}, types[i], i);
        return Graph::make(std::move(m_parts));
    }

private:
    void addInterfaceNode(std::string name, std::string_view op, std::vector<std::string> inputs,
                          DType dtype, std::size_t index)
    {
        NodeDraft draft;
        draft.name = std::move(name);
        draft.op = op;
        draft.inputs = std::move(inputs);
        draft.setAttr("T", attr::fromType(dtype));
        draft.setAttr("index", attr::fromInt(std::int64_t(index)));
        m_parts.nodes.push_back(draft.finish(true));
    }

    Graph::Parts m_parts;
};

// Writes the nodes of one step.
class StepWriter {
public:
    StepWriter(FunctionBody& body, const LiftedRecurrent& layer)
        : m_body(body)
        , m_layer(layer)
    {
        std::size_t next = ProductsArg + 1;
        m_recurrent = argumentName(next++);
        m_ownBias = argumentName(next++);
        if (!layer.lengths.empty())
            m_lengths = argumentName(next++);
        for (std::size_t i = 0; i < layer.peepholes.size(); ++i)
            m_peepholes.push_back(argumentName(next++));
    }

    // Returns the values of the arguments before ProductsArg for the next step.
    std::vector<std::string> write()
    {
        const bool isLstm = m_layer.cell == LiftedCell::Lstm;
        const std::string step = argumentName(StepArg);
        m_x = m_body.add("GatherV2", {argumentName(ProductsArg), step, m_body.oneInt(0)},
                         {typeAttr("Tparams", DType::Float), typeAttr("Tindices", DType::Int32),
                          typeAttr("Taxis", DType::Int32)});
        const std::string h = argumentName(HArg);
        const std::string c = argumentName(CArg);
        std::string nextC = c;
        std::string nextH = isLstm                            ? lstm(h, c, nextC)
                            : m_layer.cell == LiftedCell::Gru ? gru(h)
                                                              : plainCell(h);
        std::string kept = nextH;
        if (!m_lengths.empty()) {
            const std::string runs = running(step);
            kept = select(runs, nextH, m_body.plain("ZerosLike", {nextH}));
            nextH = select(runs, nextH, h);
            nextC = isLstm ? select(runs, nextC, c) : c;
        }
        const std::string list =
            m_body.add("TensorListSetItem", {argumentName(ListArg), step, kept},
                       {typeAttr("element_dtype", DType::Float)});
        const std::string next =
            m_body.add("AddV2", {step, m_body.oneInt(1)}, {typeAttr("T", DType::Int32)});
        return {next, argumentName(StepCountArg), list, nextH, nextC};
    }

private:
    std::string select(const std::string& runs, const std::string& then, const std::string& other)
    {
        return m_body.plain("SelectV2", {runs, then, other});
    }

    // Returns whether each row continues at this step, [batch, 1].
    std::string running(const std::string& step)
    {
        const std::string below =
            m_body.add("Less", {step, m_lengths}, {typeAttr("T", DType::Int32)});
        return m_body.add("ExpandDims", {below, m_body.oneInt(1)},
                          {typeAttr("T", DType::Bool), typeAttr("Tdim", DType::Int32)});
    }

    // Returns `count` equal parts along an axis.
    std::vector<std::string> split(const std::string& whole, std::int64_t count, std::int32_t axis)
    {
        const std::string made =
            m_body.add("Split", {m_body.oneInt(axis), whole},
                       {typeAttr("T", DType::Float), {"num_split", attr::fromInt(count)}});
        std::vector<std::string> parts;
        for (std::int64_t port = 0; port < count; ++port)
            parts.push_back(outputText(made, std::int32_t(port)));
        return parts;
    }

    std::string product(const std::string& h, const std::string& weights, const std::string& bias)
    {
        const std::string made = m_body.add("MatMul", {h, weights},
                                            {typeAttr("T", DType::Float),
                                             {"transpose_a", attr::fromBool(false)},
                                             {"transpose_b", attr::fromBool(true)}});
        return m_body.plain("AddV2", {made, bias});
    }

    std::string activated(std::size_t number, const std::string& x)
    {
        const LiftedActivation& activation = m_layer.activations[number];
        if (activation.op == "LeakyRelu")
            return m_body.add(
                "LeakyRelu", {x},
                {typeAttr("T", DType::Float), {"alpha", attr::fromFloat(activation.alpha)}});
        if (activation.op != "HardSigmoid")
            return m_body.plain(activation.op, {x});
        const std::string line =
            sum(times(x, m_body.oneFloat(activation.alpha)), m_body.oneFloat(activation.beta));
        const std::string below = m_body.plain("Minimum", {line, m_body.oneFloat(1)});
        return m_body.plain("Maximum", {below, m_body.oneFloat(0)});
    }

    std::string gate(const std::string& sum) { return activated(0, sum); }

    std::string sum(const std::string& a, const std::string& b)
    {
        return m_body.plain("AddV2", {a, b});
    }

    std::string times(const std::string& a, const std::string& b)
    {
        return m_body.plain("Mul", {a, b});
    }

    std::string peeped(const std::string& part, const std::string& state, std::size_t gateNumber)
    {
        return m_peepholes.empty() ? part : sum(part, times(m_peepholes[gateNumber], state));
    }

    std::string lstm(const std::string& h, const std::string& c, std::string& nextC)
    {
        const auto parts = split(sum(m_x, product(h, m_recurrent, m_ownBias)), 4, 1);
        const std::string input = gate(peeped(parts[0], c, 0));
        const std::string forget = gate(peeped(parts[2], c, 2));
        const std::string candidate = activated(1, parts[3]);
        nextC = sum(times(forget, c), times(input, candidate));
        if (m_layer.clip > 0) {
            nextC = m_body.plain("Minimum", {nextC, m_body.oneFloat(m_layer.clip)});
            nextC = m_body.plain("Maximum", {nextC, m_body.oneFloat(-m_layer.clip)});
        }
        const std::string output = gate(peeped(parts[1], nextC, 1));
        return times(output, activated(2, nextC));
    }

    std::string plainCell(const std::string& h)
    {
        return activated(0, sum(m_x, product(h, m_recurrent, m_ownBias)));
    }

    std::string gru(const std::string& h)
    {
        const auto x = split(m_x, 3, 1);
        const auto weights = split(m_recurrent, 3, 0);
        const auto bias = split(m_ownBias, 3, 0);
        const std::string update = gate(sum(x[0], product(h, weights[0], bias[0])));
        const std::string reset = gate(sum(x[1], product(h, weights[1], bias[1])));
        const std::string own = m_layer.resetsAfter ? times(reset, product(h, weights[2], bias[2]))
                                                    : product(times(reset, h), weights[2], bias[2]);
        const std::string candidate = activated(1, sum(x[2], own));
        const std::string rest = m_body.plain("Sub", {h, candidate});
        return sum(candidate, times(update, rest));
    }

    FunctionBody& m_body;
    const LiftedRecurrent& m_layer;
    std::string m_x; // that of the step, with weights and bias
    std::string m_recurrent;
    std::string m_ownBias;
    std::string m_lengths;
    std::vector<std::string> m_peepholes;
};

GraphPtr conditionOf(const std::vector<DType>& types)
{
    FunctionBody body(types);
    const std::string below = body.add("Less", {argumentName(StepArg), argumentName(StepCountArg)},
                                       {typeAttr("T", DType::Int32)});
    return std::move(body).finish({below}, {DType::Bool});
}

GraphPtr bodyOf(const std::vector<DType>& types, const LiftedRecurrent& layer)
{
    FunctionBody body(types);
    std::vector<std::string> results = StepWriter(body, layer).write();
    for (std::size_t i = results.size(); i < types.size(); ++i)
        results.push_back(argumentName(i)); // these stay unchanged
    return std::move(body).finish(results, types);
}

} // namespace

std::vector<std::string> liftRecurrent(LiftDraft& draft, const LiftedRecurrent& layer)
{
    const LiftDraft::Attrs floats{typeAttr("T", DType::Float)};
    const std::string plain =
        draft.step("BatchMatMulV2", {layer.x, layer.weights},
                   {typeAttr("T", DType::Float), {"adj_y", attr::fromBool(true)}});
    const std::string products = draft.step("AddV2", {plain, layer.bias}, floats);
    const std::string sizes = draft.step("Shape", {layer.x}, floats);
    const std::string steps =
        draft.step("GatherV2", {sizes, draft.oneInt(0), draft.oneInt(0)},
                   {typeAttr("Tparams", DType::Int32), typeAttr("Tindices", DType::Int32),
                    typeAttr("Taxis", DType::Int32)});
    const std::string list =
        draft.step("TensorListReserve", {draft.oneInt(-1), steps},
                   {typeAttr("element_dtype", DType::Float), typeAttr("shape_type", DType::Int32)});
    std::vector<std::string> inputs{draft.oneInt(0),
                                    steps,
                                    list,
                                    layer.h,
                                    layer.cell == LiftedCell::Lstm ? layer.c : layer.h,
                                    products,
                                    layer.recurrent,
                                    layer.ownBias};
    std::vector<DType> types{DType::Int32, DType::Int32, DType::Variant};
    types.resize(inputs.size(), DType::Float);
    if (!layer.lengths.empty()) {
        inputs.push_back(layer.lengths);
        types.push_back(DType::Int32);
    }
    inputs.insert(inputs.end(), layer.peepholes.begin(), layer.peepholes.end());
    types.resize(inputs.size(), DType::Float);
    const std::string name = "recurrent_" + std::to_string(draft.functions().size());
    draft.functions().add(name + "/condition", types, std::vector{DType::Bool}, conditionOf(types));
    draft.functions().add(name + "/step", types, types, bodyOf(types, layer));
    const std::string made = draft.step("While", std::move(inputs),
                                        {{"T", attr::fromTypes(types)},
                                         {"cond", attr::fromFunctionName(name + "/condition")},
                                         {"body", attr::fromFunctionName(name + "/step")}});
    const std::string all =
        draft.step("TensorListStack", {outputText(made, std::int32_t(ListArg)), draft.oneInt(-1)},
                   {typeAttr("element_dtype", DType::Float), {"num_elements", attr::fromInt(-1)}});
    return {all, outputText(made, std::int32_t(HArg)), outputText(made, std::int32_t(CArg))};
}

} // namespace lapidary
