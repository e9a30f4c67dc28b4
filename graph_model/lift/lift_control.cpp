// SPDX-License-Identifier: Apache-2.0
// Operators that run other graphs of the file.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/ops/op_traits.h"

#include <cstring>

namespace lapidary {
namespace {

std::vector<DType> typesOf(const std::vector<FunctionArgument>& ends)
{
    std::vector<DType> types;
    for (const FunctionArgument& end : ends)
        types.push_back(end.dtype);
    return types;
}

FunctionPtr calledBody(LiftDraft& d, std::string_view attribute)
{
    const auto name = d.node().attr(attribute).asFunctionName();
    return name ? d.functions().find(*name) : nullptr;
}

std::vector<std::string> inputsFrom(LiftDraft& d, std::size_t first)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = first; slot < d.slots(); ++slot)
        if (d.has(slot))
            inputs.push_back(d.in(slot));
    return inputs;
}

std::vector<std::string> portsFrom(const std::string& made, std::size_t first, std::size_t count)
{
    std::vector<std::string> ports;
    for (std::size_t port = 0; port < count; ++port)
        ports.push_back(outputText(made, std::int32_t(first + port)));
    return ports;
}

std::pair<std::string, AttrBytes> calls(std::string name, const FunctionPtr& function)
{
    return {std::move(name), attr::fromFunctionName(function->name)};
}

// Both sides take the same tensors behind the condition.
bool liftIf(LiftDraft& d, std::string_view thenName, std::string_view elseName)
{
    const FunctionPtr thenBody = calledBody(d, thenName);
    const FunctionPtr elseBody = calledBody(d, elseName);
    if (thenBody == nullptr || elseBody == nullptr || d.slots() == 0)
        return false;
    std::vector<std::string> inputs{d.in(0)};
    for (std::string& input : inputsFrom(d, 1))
        inputs.push_back(std::move(input));
    const std::string made = d.step("If", std::move(inputs),
                                    {typeAttr("Tcond", DType::Bool),
                                     {"Tin", attr::fromTypes(typesOf(thenBody->arguments))},
                                     {"Tout", attr::fromTypes(typesOf(thenBody->results))},
                                     calls("then_branch", thenBody),
                                     calls("else_branch", elseBody)});
    d.give(portsFrom(made, 0, thenBody->results.size()));
    return true;
}

bool liftWhile(LiftDraft& d)
{
    const FunctionPtr condition = calledBody(d, "cond_subgraph_index");
    const FunctionPtr body = calledBody(d, "body_subgraph_index");
    if (condition == nullptr || body == nullptr)
        return false;
    const std::string made = d.step("While", inputsFrom(d, 0),
                                    {{"T", attr::fromTypes(typesOf(body->arguments))},
                                     calls("cond", condition),
                                     calls("body", body)});
    d.give(portsFrom(made, 0, body->results.size()));
    return true;
}

// A body of ONNX' Loop, of (step, goes on, variables, captured), as what While runs: of (step, goes
// on, most steps, variables, captured). The number of results tells the variables.
class LoopFunctions {
public:
    LoopFunctions(const Function& body, std::size_t captured)
        : m_body(body)
        , m_captured(captured)
        , m_types(typesOf(body.arguments))
    {
        m_types.insert(m_types.begin() + 2, DType::Int64);
    }

    const std::vector<DType>& types() const { return m_types; }
    // Outputs beyond the variables are collected step by step, which While does not do.
    bool isSupported() const
    {
        return m_body.arguments.size() >= 2 + m_captured &&
               m_body.results.size() == m_body.arguments.size() - 1 - m_captured;
    }

    GraphPtr condition() const
    {
        Graph::Parts parts;
        for (std::size_t i = 0; i < m_types.size(); ++i)
            parts.nodes.push_back(argument("argument_" + std::to_string(i), i));
        add(parts, "is_below", "Less", {"argument_0", "argument_2"}, DType::Int64);
        add(parts, "goes_on", "LogicalAnd", {"argument_1", "is_below"}, DType::Invalid);
        parts.nodes.push_back(result("result", "goes_on", 0, DType::Bool));
        return Graph::make(std::move(parts));
    }

    GraphPtr body() const
    {
        std::vector<std::string> arguments(m_types.size());
        Graph::Parts parts;
        std::vector<NodePtr> results(m_types.size());
        for (const NodePtr& node : m_body.body->nodes())
            if (isFunctionArgument(node->op()))
                arguments[placeOf(*node)] = node->name();
        arguments[2] = freshName("most_steps");
        for (std::size_t i = 0; i < arguments.size(); ++i)
            parts.nodes.push_back(argument(arguments[i], i));
        for (const NodePtr& node : m_body.body->nodes()) {
            if (isFunctionArgument(node->op()))
                continue;
            if (!isFunctionResult(node->op())) {
                parts.nodes.push_back(node);
                continue;
            }
            const auto index = std::size_t(node->attr("index").asInt().value_or(0));
            const std::size_t place = index == 0 ? 1 : index + 2;
            results[place] = result(std::string(node->name()), std::string(node->inputs()[0].text),
                                    place, m_types[place]);
        }
        addNextStep(parts, arguments[0]);
        results[0] = result(freshName("step_result"), freshName("next_step"), 0, DType::Int64);
        for (std::size_t i = 2; i < results.size(); ++i)
            if (results[i] == nullptr)
                results[i] =
                    result(freshName("passed_" + std::to_string(i)), arguments[i], i, m_types[i]);
        parts.nodes.insert(parts.nodes.end(), results.begin(), results.end());
        return Graph::make(std::move(parts));
    }

private:
    static std::size_t placeOf(const Node& argument)
    {
        const auto index = std::size_t(argument.attr("index").asInt().value_or(0));
        return index < 2 ? index : index + 1;
    }

    std::string freshName(std::string name) const
    {
        while (m_body.body->find(name).isValid())
            name += "_";
        return name;
    }

    static NodeDraft draftOf(const std::string& name, std::string_view op,
                             std::vector<std::string> inputs)
    {
        NodeDraft draft;
        draft.name = name;
        draft.op = op;
        draft.inputs = std::move(inputs);
        return draft;
    }

    NodePtr argument(const std::string& name, std::size_t index) const
    {
        NodeDraft draft = draftOf(name, "_Arg", {});
        draft.setAttr("T", attr::fromType(m_types[index]));
        draft.setAttr("index", attr::fromInt(std::int64_t(index)));
        return draft.finish(true);
    }

    static NodePtr result(const std::string& name, const std::string& input, std::size_t index,
                          DType dtype)
    {
        NodeDraft draft = draftOf(name, "_Retval", {input});
        draft.setAttr("T", attr::fromType(dtype));
        draft.setAttr("index", attr::fromInt(std::int64_t(index)));
        return draft.finish(true);
    }

    static void add(Graph::Parts& parts, const std::string& name, std::string_view op,
                    std::vector<std::string> inputs, DType dtype)
    {
        NodeDraft draft = draftOf(name, op, std::move(inputs));
        if (dtype != DType::Invalid)
            draft.setAttr("T", attr::fromType(dtype));
        parts.nodes.push_back(draft.finish());
    }

    void addNextStep(Graph::Parts& parts, const std::string& step) const
    {
        const std::string one = freshName("one_step");
        parts.nodes.push_back(liftedInt64(one, 1).finish());
        add(parts, freshName("next_step"), "AddV2", {step, one}, DType::Int64);
    }

    const Function& m_body;
    std::size_t m_captured;
    std::vector<DType> m_types;
};

bool liftLoop(LiftDraft& d)
{
    const FunctionPtr body = calledBody(d, "body");
    if (body == nullptr || body->arguments.size() < 2)
        return false;
    const std::int64_t captured = d.intAttr("_captured", 0);
    if (captured < 0 || captured > std::int64_t(body->arguments.size()))
        return false;
    const LoopFunctions functions(*body, std::size_t(captured));
    if (!functions.isSupported())
        return false;
    const std::string name(body->name);
    d.functions().add(name + "/condition", functions.types(), std::vector{DType::Bool},
                      functions.condition());
    d.functions().add(name + "/step", functions.types(), functions.types(), functions.body());
    std::vector<std::string> inputs{d.oneInt64(0)};
    inputs.push_back(d.has(1) ? d.in(1) : d.oneTrue());
    inputs.push_back(d.has(0) ? d.in(0) : d.oneInt64(INT64_MAX));
    for (std::string& input : inputsFrom(d, 2))
        inputs.push_back(std::move(input));
    if (inputs.size() != functions.types().size())
        return false;
    const std::string made = d.step("While", std::move(inputs),
                                    {{"T", attr::fromTypes(functions.types())},
                                     {"cond", attr::fromFunctionName(name + "/condition")},
                                     {"body", attr::fromFunctionName(name + "/step")}});
    d.give(portsFrom(made, 3, body->results.size() - 1));
    return true;
}

} // namespace

bool liftTfliteControl(LiftDraft& draft)
{
    if (draft.node().op() == "IF")
        return liftIf(draft, "then_subgraph_index", "else_subgraph_index");
    return draft.node().op() == "WHILE" && liftWhile(draft);
}

bool liftOnnxControl(LiftDraft& draft)
{
    if (draft.node().op() == "If")
        return liftIf(draft, "then_branch", "else_branch");
    return draft.node().op() == "Loop" && liftLoop(draft);
}

} // namespace lapidary
