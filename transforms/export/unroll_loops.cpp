// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/unroll_loops.h"

#include "graph_model/ops/op_traits.h"
#include "runner/execute/session.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/loop_frame.h"

#include <algorithm>
#include <map>
#include <set>

namespace lapidary {
namespace {

constexpr std::size_t mostIterations = 4096;
constexpr std::size_t mostNodes = 200'000;

std::string textOf(const std::string& node, std::int32_t port)
{
    return port == 0 ? node : node + ":" + std::to_string(port);
}

std::string textOf(const Graph& graph, const Endpoint& tensor)
{
    return textOf(std::string(graph.node(tensor.node).name()), tensor.port);
}

// A node that only carries the loop's variables, in contrast to those of a condition in the body.
bool isLoopNode(const Graph& graph, const LoopFrame& frame, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    if (isSwitch(op)) {
        const auto inputs = graph.inputs(id);
        return inputs.size() > 1 && inputs[1].node == frame.condition;
    }
    if (isMerge(op))
        return std::ranges::find(frame.variables, id, &LoopFrame::Variable::merge) !=
               frame.variables.end();
    return controlFlow(op) != ControlFlow::None;
}

// How often the body runs: only what the condition depends on is computed, step by step.
class TripCount {
public:
    TripCount(const Graph& graph, const LoopFrame& frame)
        : m_graph(graph)
        , m_frame(frame)
    {
    }

    // Nothing where it depends on what is fed, or never ends.
    std::optional<std::size_t> count(const Job& job)
    {
        need({m_frame.condition, 0});
        if (!m_isConstant)
            return std::nullopt;
        Session session(sliceGraph(), {});
        std::vector<Value> state;
        if (!readStart(session, state, job))
            return std::nullopt;
        for (std::size_t trips = 0; trips <= mostIterations; ++trips) {
            if (job.cancelled())
                return std::nullopt;
            RunRequest request;
            for (std::size_t i = 0; i < m_variables.size(); ++i) {
                request.feeds.emplace_back(nameOf(m_variables[i]->merge), state[i]);
                request.fetches.push_back(sliceText(m_variables[i]->next));
            }
            request.fetches.push_back(nameOf(m_frame.condition));
            auto values = session.run(request, job);
            if (!values || values->back().byteCount() != 1)
                return std::nullopt;
            if (values->back().bytes()[0] == 0)
                return trips;
            (*values).pop_back();
            state = *std::move(values);
        }
        return std::nullopt;
    }

private:
    std::string nameOf(NodeId id) const { return std::string(m_graph.node(id).name()); }

    const LoopFrame::Variable* variableOf(NodeId merge) const
    {
        const auto found = std::ranges::find(m_frame.variables, merge, &LoopFrame::Variable::merge);
        return found == m_frame.variables.end() ? nullptr : &*found;
    }

    // Marks what a tensor depends on; of variables also what they become.
    void need(const Endpoint& tensor)
    {
        std::vector<NodeId> open{tensor.node};
        while (!open.empty() && m_isConstant) {
            const NodeId id = open.back();
            open.pop_back();
            if (!id.isValid() || !m_needed.insert(id.value).second)
                continue;
            const Node& node = m_graph.node(id);
            if (const auto* variable = variableOf(id)) {
                m_variables.push_back(variable);
                open.push_back(variable->next.node);
                open.push_back(variable->start.node);
                continue;
            }
            const bool isCondition =
                isMerge(node.op()) || (isSwitch(node.op()) && !isLoopNode(m_graph, m_frame, id));
            const bool isFed = isCondition || isPlaceholder(node.op()) ||
                               node.op().starts_with("TensorArray") || m_needed.size() > 10'000;
            m_isConstant = m_isConstant && !isFed;
            for (const Endpoint& from : m_graph.inputs(id))
                if (!from.isControl())
                    open.push_back(from.node);
        }
    }

    // What passes a value on within a loop has one output here.
    std::string sliceText(const Endpoint& tensor) const
    {
        const bool isPassed = controlFlow(m_graph.node(tensor.node).op()) != ControlFlow::None;
        return textOf(nameOf(tensor.node), isPassed ? 0 : tensor.port);
    }

    GraphPtr sliceGraph() const
    {
        Graph::Parts parts;
        parts.versions = m_graph.versions();
        parts.functions = m_graph.sharedFunctions();
        for (const std::uint32_t value : m_needed) {
            const NodeId id{value};
            const Node& node = m_graph.node(id);
            NodeDraft draft = NodeDraft::of(node);
            draft.inputs.clear();
            for (const Endpoint& from : m_graph.inputs(id))
                if (!from.isControl())
                    draft.inputs.push_back(sliceText(from));
            const bool isVariable = variableOf(id) != nullptr;
            if (isVariable || controlFlow(node.op()) != ControlFlow::None) {
                const DType dtype = node.attr("T").asType().value_or(DType::Bool);
                draft = newNode(nameOf(id), isVariable ? "Placeholder" : "Identity",
                                isVariable ? std::vector<std::string>()
                                           : std::vector<std::string>{draft.inputs.front()});
                draft.setAttr(isVariable ? "dtype" : "T", attr::fromType(dtype));
                if (isVariable)
                    draft.setAttr("shape", attr::fromShape({{}, true}));
            }
            parts.nodes.push_back(draft.finish());
        }
        return Graph::make(std::move(parts));
    }

    bool readStart(Session& session, std::vector<Value>& state, const Job& job) const
    {
        RunRequest request;
        for (const LoopFrame::Variable* variable : m_variables)
            request.fetches.push_back(sliceText(variable->start));
        auto values = session.run(request, job);
        if (!values)
            return false;
        state = *std::move(values);
        return true;
    }

    const Graph& m_graph;
    const LoopFrame& m_frame;
    std::set<std::uint32_t> m_needed;
    std::vector<const LoopFrame::Variable*> m_variables;
    bool m_isConstant = true;
};

// Writes the body out.
class Unrolling {
public:
    Unrolling(const Graph& graph, const LoopFrame& frame)
        : m_graph(graph)
        , m_frame(frame)
    {
        for (const LoopFrame::Variable& variable : frame.variables)
            m_state[variable.merge.value] = textOf(graph, variable.start);
    }

    GraphPtr unroll(std::size_t trips)
    {
        Graph::Parts parts;
        parts.versions = m_graph.versions();
        parts.functions = m_graph.sharedFunctions();
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (!m_frame.isInside[i] && !isOwnExit(NodeId{i}))
                parts.nodes.push_back(m_graph.nodes()[i]);
        for (m_step = 0; m_step < trips; ++m_step)
            addStep(parts);
        for (const NodeId exit : m_frame.exits) {
            const Node& node = m_graph.node(exit);
            NodeDraft draft =
                newNode(std::string(node.name()), "Identity", {reference(m_graph.inputs(exit)[0])});
            copyAttr(node, "T", draft);
            parts.nodes.push_back(draft.finish());
        }
        return Graph::make(std::move(parts));
    }

private:
    bool isOwnExit(NodeId id) const
    {
        return std::ranges::find(m_frame.exits, id) != m_frame.exits.end();
    }

    // A tensor as the current step reads it.
    std::string reference(Endpoint tensor) const
    {
        while (m_frame.isInside[tensor.node.value]) {
            const Node& node = m_graph.node(tensor.node);
            if (const auto state = m_state.find(tensor.node.value); state != m_state.end())
                return state->second;
            if (!isLoopNode(m_graph, m_frame, tensor.node))
                return textOf(copyName(node), tensor.port);
            tensor = m_graph.inputs(tensor.node)[0];
        }
        return textOf(m_graph, tensor);
    }

    std::string copyName(const Node& node) const
    {
        return std::string(node.name()) + "/step" + std::to_string(m_step);
    }

    void addStep(Graph::Parts& parts)
    {
        for (const NodeId id : m_frame.nodes) {
            const Node& node = m_graph.node(id);
            if (isLoopNode(m_graph, m_frame, id))
                continue;
            NodeDraft draft = NodeDraft::of(node);
            draft.name = copyName(node);
            draft.removeAttr("_class"); // names nodes that are no longer there
            draft.inputs.clear();
            for (const Endpoint& from : m_graph.inputs(id))
                if (!from.isControl() && from.node.isValid())
                    draft.inputs.push_back(reference(from));
            parts.nodes.push_back(draft.finish());
        }
        std::map<std::uint32_t, std::string> next;
        for (const LoopFrame::Variable& variable : m_frame.variables)
            next[variable.merge.value] = reference(variable.next);
        m_state = std::move(next);
    }

    const Graph& m_graph;
    const LoopFrame& m_frame;
    std::size_t m_step = 0;
    std::map<std::uint32_t, std::string> m_state; // of the variables, by their Merge
};

} // namespace

Result<GraphPtr> unrollLoops(const GraphPtr& graph, const Job& job)
{
    GraphPtr current = graph;
    while (true) {
        const FoundLoop found = findInnermostLoop(*current);
        if (!found.frame)
            return current;
        const auto trips = TripCount(*current, *found.frame).count(job);
        if (job.cancelled())
            return cancelledError();
        if (!trips || *trips * found.frame->nodes.size() > mostNodes)
            return current;
        current = Unrolling(*current, *found.frame).unroll(*trips);
    }
}

} // namespace lapidary
