// SPDX-License-Identifier: Apache-2.0
// Names for values that circulate in loops, and the end conditions of loops.
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/loop_frames.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace lapidary {
namespace {

constexpr int farthest = 32; // maximum number of nodes between a value and its source

std::string_view withoutNumber(std::string_view name)
{
    const std::size_t end = name.find_last_not_of("0123456789");
    if (end == std::string_view::npos || end + 1 == name.size() || name[end] != '_')
        return name;
    return name.substr(0, end);
}

// Returns whether a name only repeats the op, as generated names do.
bool saysNothing(std::string_view leaf, std::string_view op)
{
    std::string plain;
    for (const char c : withoutNumber(leaf))
        if (c != '_' && c != '/')
            plain += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    std::string ofOp;
    for (const char c : op)
        ofOp += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    constexpr std::array<std::string_view, 8> made{"zeros",     "ones",     "const", "fill",
                                                   "zeroslike", "oneslike", "enter", "tensorarray"};
    const bool isStart = ofOp.starts_with(plain) && plain.size() * 2 >= ofOp.size();
    return plain.empty() || isStart || std::ranges::find(made, plain) != made.end();
}

// Returns the relation of a counter's value that holds when the loop ends.
std::string_view relationAtEnd(std::string_view op, bool isNegated)
{
    struct Relation {
        std::string_view op;
        std::string_view atEnd;
        std::string_view negated;
    };
    constexpr std::array<Relation, 6> relations{{{"Less", "≥", "<"},
                                                 {"LessEqual", ">", "≤"},
                                                 {"Greater", "≤", ">"},
                                                 {"GreaterEqual", "<", "≥"},
                                                 {"NotEqual", "=", "≠"},
                                                 {"Equal", "≠", "="}}};
    for (const Relation& relation : relations)
        if (relation.op == op)
            return isNegated ? relation.negated : relation.atEnd;
    return {};
}

class LoopNamer {
public:
    LoopNamer(const Graph& graph, LoopFrames& loops)
        : m_graph(graph)
        , m_loops(loops)
    {
    }

    void run()
    {
        for (DrawnLoop& frame : m_loops.frames)
            for (LoopState& state : frame.states)
                index(state);
        for (std::uint32_t f = 0; f < m_loops.frames.size(); ++f)
            name(f);
    }

private:
    std::string_view op(NodeId id) const { return m_graph.node(id).op(); }

    void index(LoopState& state)
    {
        m_stateOf[state.merge.value] = &state;
        m_stateOf[state.gate.value] = &state;
        for (const NodeId copy : state.copies)
            m_stateOf[copy.value] = &state;
    }

    void name(std::uint32_t f)
    {
        DrawnLoop& frame = m_loops.frames[f];
        std::vector<LoopState*> nameless;
        std::string counter;
        for (LoopState& state : frame.states) {
            if (state.write.isValid())
                continue;
            state.name = givenName(m_graph.inputs(state.enter)[0]);
            const bool counts = stepOf(state).has_value();
            if (state.name.empty() && counts)
                state.name = "i";
            if (counts && counter.empty())
                counter = state.name;
            if (state.name.empty())
                nameless.push_back(&state);
        }
        for (std::size_t i = 0; i < nameless.size(); ++i)
            nameless[i]->name = nameless.size() == 1 ? "state" : "state " + std::to_string(i + 1);
        for (LoopState& state : frame.states)
            if (state.write.isValid())
                state.name = arrayName(state.write) + "[" + indexName(state.write, counter) + "]";
        for (LoopRead& read : frame.reads)
            read.name = arrayName(read.node) + "[" + indexName(read.node, counter) + "]";
        makeUnique(frame);
        for (LoopInvariant& invariant : frame.invariants)
            invariant.name = operandName({invariant.enter, 0});
        const auto inputs = m_graph.inputs(frame.condition);
        if (!inputs.empty() && !addStops(frame, inputs[0], false))
            frame.stops.clear();
        const std::vector<LoopStop> all = std::exchange(frame.stops, {});
        for (const LoopStop& stop : all)
            if (std::ranges::none_of(all, [&](const LoopStop& other) {
                    return &stop != &other && isImplied(stop, other);
                }))
                frame.stops.push_back(stop);
    }

    static void makeUnique(DrawnLoop& frame)
    {
        std::map<std::string, int> used;
        for (LoopState& state : frame.states)
            if (const int before = used[state.name]++; before > 0)
                state.name += " " + std::to_string(before + 1);
    }

    // Follows a value to its source, through copies and entries into loops.
    Endpoint origin(Endpoint from) const
    {
        for (int hop = 0; hop < farthest && from.node.isValid(); ++hop) {
            if (m_stateOf.contains(from.node.value))
                break;
            const auto inputs = m_graph.inputs(from.node);
            const bool passes = passesInputOn(op(from.node)) || isEnter(op(from.node)) ||
                                isVariableRead(op(from.node));
            if (!passes || inputs.empty() || inputs[0].isControl() || !inputs[0].node.isValid())
                break;
            from = inputs[0];
        }
        return from;
    }

    // Returns the name of the initial value, if it is meaningful.
    std::string givenName(Endpoint from) const
    {
        from = origin(from);
        if (!from.node.isValid())
            return {};
        if (const auto outer = m_stateOf.find(from.node.value); outer != m_stateOf.end())
            return outer->second->name;
        const Node& node = m_graph.node(from.node);
        const std::string_view leaf = leafName(node.name());
        return saysNothing(leaf, node.op()) ? std::string() : std::string(leaf);
    }

    std::string arrayName(NodeId write) const
    {
        const auto inputs = m_graph.inputs(write);
        const Endpoint array = inputs.empty() ? Endpoint{} : origin(inputs[0]);
        if (!array.node.isValid())
            return "out";
        const Node& node = m_graph.node(array.node);
        const std::string_view name =
            leafName(node.attr("tensor_array_name").asString().value_or(""));
        if (!name.empty())
            return std::string(name);
        const std::string_view leaf = leafName(node.name());
        return saysNothing(leaf, node.op()) ? "out" : std::string(leaf);
    }

    std::string indexName(NodeId write, const std::string& counter) const
    {
        const auto inputs = m_graph.inputs(write);
        const Endpoint at = inputs.size() > 1 ? origin(inputs[1]) : Endpoint{};
        const auto known = at.node.isValid() ? m_stateOf.find(at.node.value) : m_stateOf.end();
        if (known != m_stateOf.end() && !known->second->name.empty())
            return known->second->name;
        return counter.empty() ? "t" : counter;
    }

    struct Step {
        Endpoint by;
        bool isSubtracted = false;
    };

    // Returns the change of a value in each iteration, if it is constant.
    std::optional<Step> stepOf(const LoopState& state) const
    {
        const Endpoint made = origin(m_graph.inputs(state.next)[0]);
        if (!made.node.isValid())
            return std::nullopt;
        const std::string_view op = this->op(made.node);
        const bool adds = isAddition(op);
        const auto inputs = m_graph.inputs(made.node);
        if ((!adds && op != "Sub") || inputs.size() < 2)
            return std::nullopt;
        for (const std::size_t own : {0U, 1U}) {
            const Endpoint value = origin(inputs[own]);
            const Endpoint by = origin(inputs[1 - own]);
            const auto known =
                value.node.isValid() ? m_stateOf.find(value.node.value) : m_stateOf.end();
            if (known != m_stateOf.end() && known->second == &state && by.node.isValid() &&
                isConstant(this->op(by.node)) && (adds || own == 0))
                return Step{by, !adds};
        }
        return std::nullopt;
    }

    std::string operandName(Endpoint from) const
    {
        from = origin(from);
        if (!from.node.isValid())
            return "?";
        if (const auto state = m_stateOf.find(from.node.value); state != m_stateOf.end())
            return state->second->name;
        if (isSize(from, 0))
            return "size";
        const Node& node = m_graph.node(from.node);
        if (node.op() == "Minimum" || node.op() == "Maximum")
            return extremeName(from.node);
        return std::string(leafName(node.name()));
    }

    // Returns "min(size, …)", with the names of the meaningful operands.
    std::string extremeName(NodeId id) const
    {
        std::string text = op(id) == "Minimum" ? "min(" : "max(";
        const auto inputs = m_graph.inputs(id);
        for (std::size_t i = 0; i < inputs.size() && !inputs[i].isControl(); ++i) {
            const Endpoint from = origin(inputs[i]);
            const bool isPlain =
                from.node.isValid() && (m_stateOf.contains(from.node.value) || isSize(from, 0) ||
                                        m_graph.inputs(from.node).empty());
            text += i > 0 ? ", " : "";
            text += isPlain ? operandName(from) : "…";
        }
        return text + ")";
    }

    // Returns whether a number is taken from a tensor's shape.
    bool isSize(Endpoint from, int hop) const
    {
        if (!from.node.isValid() || from.isControl() || hop > 4)
            return false;
        const std::string_view op = this->op(from.node);
        if (asksForSize(op))
            return true;
        const auto inputs = m_graph.inputs(from.node);
        const bool takes =
            takesPart(op) || op == "Cast" || op == "Squeeze" || op == "Prod" || copiesInput(op);
        return takes && !inputs.empty() && isSize(inputs[0], hop + 1);
    }

    // Adds the conditions that end the loop: that `value` is false, or that it is true if negated.
    bool addStops(DrawnLoop& frame, Endpoint value, bool isNegated)
    {
        constexpr std::size_t mostStops = 4;
        value = origin(value);
        if (!value.node.isValid() || frame.stops.size() == mostStops)
            return false;
        const std::string_view op = this->op(value.node);
        const auto inputs = m_graph.inputs(value.node);
        if (op == "LogicalNot" && !inputs.empty())
            return addStops(frame, inputs[0], !isNegated);
        if (!isNegated && op == "LogicalAnd" && inputs.size() >= 2)
            return addStops(frame, inputs[0], false) && addStops(frame, inputs[1], false);
        if (isNegated && op == "LogicalOr" && inputs.size() >= 2)
            return addStops(frame, inputs[0], true) && addStops(frame, inputs[1], true);
        LoopStop stop;
        stop.relation = relationAtEnd(op, isNegated);
        if (stop.relation.empty() || inputs.size() < 2) {
            stop.relation = {};
            stop.subject = isNegated ? plainFact(value) : "not " + plainFact(value);
            frame.stops.push_back(std::move(stop));
            return true;
        }
        setComparison(stop, inputs[0], inputs[1]);
        frame.stops.push_back(std::move(stop));
        return true;
    }

    std::optional<std::int64_t> constantOf(Endpoint from) const
    {
        from = origin(from);
        if (!from.node.isValid() || !isConstant(op(from.node)) ||
            weightElements(m_graph.node(from.node)) != 1)
            return std::nullopt;
        const auto tensor = m_graph.node(from.node).tensor();
        if (!tensor || tensor->dtype() != DType::Int32)
            return std::nullopt;
        const auto values = tensor->numbers(0, 1);
        return values && values->size() == 1 ? std::optional(std::int64_t(values->front()))
                                             : std::nullopt;
    }

    // Returns whether a condition is never met before another: tf.while_loop counts in addition to
    // the loop's own counter, up to a number whose minimum is the other limit.
    bool isImplied(const LoopStop& stop, const LoopStop& by) const
    {
        if (stop.relation != "≥" || by.relation != "≥" || !stop.start.node.isValid() ||
            !by.start.node.isValid() || stop.isSubtracted || by.isSubtracted)
            return false;
        const auto start = constantOf(stop.start);
        const auto step = constantOf(stop.step);
        if (!start || !step || start != constantOf(by.start) || step != constantOf(by.step))
            return false;
        const Endpoint least = origin(by.limit);
        if (!least.node.isValid() || op(least.node) != "Minimum")
            return false;
        const auto inputs = m_graph.inputs(least.node);
        return std::ranges::any_of(
            inputs, [&](const Endpoint& from) { return origin(from) == origin(stop.limit); });
    }

    // Returns a text such as "all finished" for a reduction over a vector.
    std::string plainFact(Endpoint value) const
    {
        const std::string_view op = this->op(value.node);
        const auto inputs = m_graph.inputs(value.node);
        if ((op == "All" || op == "Any") && !inputs.empty())
            return (op == "All" ? "all " : "any ") + operandName(inputs[0]);
        return operandName(value);
    }

    void setComparison(LoopStop& stop, Endpoint left, Endpoint right) const
    {
        const Endpoint subject = origin(left);
        stop.subject = operandName(left);
        stop.limitName = operandName(right);
        stop.limit = right;
        const auto state =
            subject.node.isValid() ? m_stateOf.find(subject.node.value) : m_stateOf.end();
        if (state == m_stateOf.end())
            return;
        if (const auto step = stepOf(*state->second)) {
            stop.start = {state->second->enter, 0};
            stop.step = step->by;
            stop.isSubtracted = step->isSubtracted;
        }
    }

    const Graph& m_graph;
    LoopFrames& m_loops;
    std::map<std::uint32_t, const LoopState*> m_stateOf; // by the nodes that hold the state
};

} // namespace

void nameLoops(const Graph& graph, LoopFrames& loops)
{
    LoopNamer(graph, loops).run();
}

} // namespace lapidary
