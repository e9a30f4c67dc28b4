// SPDX-License-Identifier: Apache-2.0
// While becomes a frame: each variable enters by an Enter, circulates through Merge, Switch and
// NextIteration, and leaves by an Exit. A variable that the body returns unchanged needs only the
// Enter.
#include "graph_model/graph/attr_value.h"
#include "transforms/constants/const_node.h"
#include "transforms/functions/body_copy.h"
#include "transforms/functions/expansions.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t usualParallelIterations = 10;

class LoopExpansion {
public:
    LoopExpansion(Expander& expander, const ExpansionSite& site, BoundFunction condition,
                  BoundFunction body)
        : m_expander(expander)
        , m_site(site)
        , m_node(site.node.finish())
        , m_condition(std::move(condition))
        , m_body(std::move(body))
    {
    }

    Status run()
    {
        findVariables();
        addEntries();
        RETURN_IF_ERROR(addCondition());
        RETURN_IF_ERROR(addBody());
        leave();
        return Done{};
    }

private:
    struct Variable {
        DType type = DType::Invalid;
        std::string given; // the initial value
        bool turns = true; // the body may change it
        std::string next;  // names of the variable's nodes
        std::string enter;
        std::string merge;
        std::string leaves; // the Switch
    };

    void findVariables()
    {
        const std::vector<std::string> inputs = dataInputs(m_site.node);
        bool anyTurns = false;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool turns = m_body.results[i] != m_body.arguments[i];
            anyTurns |= turns;
            m_variables.push_back({m_body.argumentTypes[i], inputs[i], turns, {}, {}, {}, {}});
        }
        for (Variable& variable : m_variables)
            variable.turns |= !anyTurns;
        m_first = std::size_t(std::ranges::find(m_variables, true, &Variable::turns) -
                              m_variables.begin());
    }

    NodeDraft node(const std::string& name, const char* op, std::vector<std::string> inputs,
                   DType type = DType::Invalid)
    {
        NodeDraft draft =
            newNode(m_expander.uniqueName(m_site.node.name + "/" + name), op, std::move(inputs));
        draft.device = m_site.node.device;
        if (type != DType::Invalid)
            draft.setAttr("T", attr::fromType(type));
        return draft;
    }

    std::string addNode(const std::string& name, const char* op, std::vector<std::string> inputs,
                        DType type = DType::Invalid)
    {
        NodeDraft draft = node(name, op, std::move(inputs), type);
        std::string made = draft.name;
        m_expander.add(std::move(draft));
        return made;
    }

    void addEntries()
    {
        std::vector<std::string> waits = controlInputs(m_site.node);
        std::vector<std::string> more;
        for (std::size_t i = 0; i < m_variables.size(); ++i)
            if (m_site.inputEffects[i] != Effects::None)
                more.push_back(waitFor(m_variables[i].given));
        addOnce(waits, more);
        const std::int64_t parallel =
            m_node->attr("parallel_iterations").asInt().value_or(usualParallelIterations);
        for (Variable& variable : m_variables) {
            std::vector<std::string> inputs{variable.given};
            for (const std::string& wait : waits)
                if (wait != waitFor(variable.given))
                    inputs.push_back(wait);
            NodeDraft enter = node("Enter", "Enter", std::move(inputs), variable.type);
            enter.setAttr("frame_name", attr::fromString(m_site.node.name));
            enter.setAttr("is_constant", attr::fromBool(!variable.turns));
            enter.setAttr("parallel_iterations", attr::fromInt(parallel));
            variable.enter = enter.name;
            m_expander.add(std::move(enter));
        }
        for (Variable& variable : m_variables) {
            if (!variable.turns)
                continue;
            variable.next = m_expander.uniqueName(m_site.node.name + "/NextIteration");
            NodeDraft merge =
                node("Merge", "Merge", {variable.enter, variable.next}, variable.type);
            merge.setAttr("N", attr::fromInt(2));
            variable.merge = merge.name;
            m_expander.add(std::move(merge));
        }
    }

    BodySite part(const char* name, const std::string& hold) const
    {
        BodySite site;
        site.prefix = m_site.node.name + "/" + name;
        site.device = m_site.node.device;
        site.holds = {"^" + hold};
        site.inTurn = true;
        return site;
    }

    Status addCondition()
    {
        BodySite site = part("cond", m_variables[m_first].merge);
        for (const Variable& variable : m_variables)
            site.arguments.push_back(
                {variable.turns ? variable.merge : variable.enter, Effects::None, variable.turns});
        ASSIGN_OR_RETURN(CopiedBody copied, copyBody(m_expander, m_condition, site));
        copied.waits.insert(copied.waits.begin(), copied.results.front());
        m_loopCond = addNode("LoopCond", "LoopCond", std::move(copied.waits));
        return Done{};
    }

    Status addBody()
    {
        for (Variable& variable : m_variables)
            if (variable.turns)
                variable.leaves =
                    addNode("Switch", "Switch", {variable.merge, m_loopCond}, variable.type);
        const Variable& first = m_variables[m_first];
        BodySite site =
            part("body", addNode("turn", "Identity", {outputText(first.leaves, 1)}, first.type));
        for (const Variable& variable : m_variables)
            site.arguments.push_back(
                {variable.turns ? outputText(variable.leaves, 1) : variable.enter, Effects::None,
                 variable.turns});
        ASSIGN_OR_RETURN(const CopiedBody copied, copyBody(m_expander, m_body, site));
        for (std::size_t i = 0; i < m_variables.size(); ++i) {
            const Variable& variable = m_variables[i];
            if (!variable.turns)
                continue;
            NodeDraft next = newNode(variable.next, "NextIteration", {copied.results[i]});
            addOnce(next.inputs, copied.waits);
            next.device = m_site.node.device;
            next.setAttr("T", attr::fromType(variable.type));
            m_expander.add(std::move(next));
        }
        return Done{};
    }

    void leave()
    {
        std::vector<std::string> results;
        std::vector<DType> types;
        std::string firstExit;
        const bool hasEffects = m_expander.effectsOf(*m_node) != Effects::None;
        for (const Variable& variable : m_variables) {
            types.push_back(variable.type);
            results.push_back(variable.given);
            if (variable.turns)
                results.back() = addNode("Exit", "Exit", {variable.leaves}, variable.type);
            if (firstExit.empty() && variable.turns)
                firstExit = results.back();
        }
        for (std::size_t i = 0; i < results.size() && hasEffects; ++i)
            if (!m_variables[i].turns)
                results[i] = addNode("after", "Identity", {results[i], "^" + firstExit}, types[i]);
        m_expander.finish(m_site, results, types, {});
    }

    Expander& m_expander;
    const ExpansionSite& m_site;
    const NodePtr m_node;
    BoundFunction m_condition;
    BoundFunction m_body;
    std::vector<Variable> m_variables;
    std::size_t m_first = 0; // index of a variable with `turns`
    std::string m_loopCond;
};

} // namespace

std::string loopFault(const Node& node, const std::vector<BoundFunction>& called)
{
    const BoundFunction& condition = called[0];
    const BoundFunction& body = called[1];
    const auto inputs = std::size_t(std::ranges::count_if(
        node.inputs(), [](const Input& input) { return !input.isControl(); }));
    if (inputs == 0)
        return "the loop has no variables";
    if (condition.resultTypes != std::vector<DType>{DType::Bool})
        return "its condition is not one bool";
    if (body.resultTypes.size() != inputs || body.arguments.size() != inputs ||
        condition.arguments.size() != inputs)
        return "its functions do not take and give the " + std::to_string(inputs) +
               " variables of the loop";
    if (body.resultTypes != body.argumentTypes || condition.argumentTypes != body.argumentTypes)
        return "its functions take and give different types";
    return {};
}

Status expandLoop(Expander& expander, const ExpansionSite& site)
{
    ASSIGN_OR_RETURN(auto called, expander.bind(*site.node.finish()));
    return LoopExpansion(expander, site, std::move(called[0]), std::move(called[1])).run();
}

} // namespace lapidary
