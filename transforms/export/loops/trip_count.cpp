// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/trip_count.h"

#include "graph_model/ops/op_traits.h"
#include "runner/execute/session.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

constexpr std::size_t mostIterations = 4096;
constexpr std::size_t mostConditionNodes = 10'000; // nodes that a condition depends on
constexpr std::size_t mostRelaxed = 256;           // nodes of a condition that are looked at

// Computes only what the condition depends on, step by step.
class TripCounter {
public:
    TripCounter(const Graph& graph, const LoopFrame& frame)
        : m_graph(graph)
        , m_frame(frame)
    {
    }

    std::optional<TripCount> count(const Job& job)
    {
        TripCount trips;
        trips.isExact = isFixed(m_frame.condition);
        for (const LoopFrame::Variable& variable : m_frame.variables)
            if (isFixed(variable.merge))
                trips.fixedVariables.insert(variable.merge.value);
        if (!trips.isExact && !relax(m_frame.condition))
            return std::nullopt;
        m_slice = *sliceOf(m_frame.condition);
        const auto most = run(job);
        if (!most)
            return std::nullopt;
        trips.most = *most;
        return trips;
    }

private:
    // The nodes that a tensor depends on, and the loop variables among them, with their next
    // values.
    struct Slice {
        std::set<std::uint32_t> nodes;
        std::vector<const LoopFrame::Variable*> variables;
    };

    std::optional<std::size_t> run(const Job& job) const
    {
        Session session(sliceGraph(), {});
        std::vector<Value> state;
        if (!readStart(session, state, job))
            return std::nullopt;
        for (std::size_t trips = 0; trips <= mostIterations; ++trips) {
            if (job.cancelled())
                return std::nullopt;
            RunRequest request;
            for (std::size_t i = 0; i < m_slice.variables.size(); ++i) {
                request.feeds.emplace_back(nameOf(m_slice.variables[i]->merge), state[i]);
                request.fetches.push_back(sliceText(m_slice.variables[i]->next));
            }
            request.fetches.push_back(nameOf(m_frame.condition));
            auto values = session.run(request, job);
            if (!values || values->back().byteCount() != 1)
                return std::nullopt;
            if (values->back().bytes()[0] == 0)
                return trips;
            values->pop_back();
            state = *std::move(values);
        }
        return std::nullopt;
    }

    std::string nameOf(NodeId id) const { return std::string(m_graph.node(id).name()); }

    // Returns the nodes and loop variables that compute a value; nothing if it depends on feeds.
    std::optional<Slice> sliceOf(NodeId head) const
    {
        Slice slice;
        std::vector<NodeId> open{head};
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            if (!id.isValid() || !slice.nodes.insert(id.value).second)
                continue;
            const Node& node = m_graph.node(id);
            if (const auto* variable = m_frame.variableOf(id)) {
                slice.variables.push_back(variable);
                open.push_back(variable->next.node);
                open.push_back(variable->start.node);
                continue;
            }
            const bool isCondition =
                isMerge(node.op()) || (isSwitch(node.op()) && !isLoopNode(m_graph, m_frame, id));
            if (isCondition || isPlaceholder(node.op()) || node.op().starts_with("TensorArray") ||
                slice.nodes.size() > mostConditionNodes)
                return std::nullopt;
            const auto inputs = m_graph.inputs(id);
            const auto passed = passedSlot(id);
            for (std::size_t slot = 0; slot < inputs.size(); ++slot)
                if (!inputs[slot].isControl() && (!passed || *passed == slot))
                    open.push_back(inputs[slot].node);
        }
        return slice;
    }

    // Returns the slot of the input that replaces a node of the slice: a Switch of the loop passes
    // its variable on.
    std::optional<std::size_t> passedSlot(NodeId id) const
    {
        if (controlFlow(m_graph.node(id).op()) != ControlFlow::None)
            return 0;
        const auto passed = m_passed.find(id.value);
        return passed == m_passed.end() ? std::nullopt : std::optional(passed->second);
    }

    bool isFixed(NodeId id) const { return sliceOf(id).has_value(); }

    bool pass(NodeId id, std::size_t slot, bool fits)
    {
        if (fits)
            m_passed[id.value] = slot;
        return fits;
    }

    // Leaves out parts of the condition that may only end the loop earlier. Returns false if
    // nothing is left that ends it, or if there are too many nodes: if each of several reads the
    // one before twice, the number of paths doubles with each.
    bool relax(NodeId id)
    {
        if (++m_relaxed > mostRelaxed)
            return false;
        if (isFixed(id))
            return true;
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        if (isLoopCond(op) || copiesInput(op))
            return relax(inputs[0].node);
        if (op == "LogicalAnd")
            return pass(id, 0, relax(inputs[0].node)) || pass(id, 1, relax(inputs[1].node));
        if (op == "Less" || op == "LessEqual")
            return isFixed(inputs[0].node) && relaxBound(inputs[1].node);
        if (op == "Greater" || op == "GreaterEqual")
            return isFixed(inputs[1].node) && relaxBound(inputs[0].node);
        return false;
    }

    // Replaces the smaller one of two bounds by the one that is known, which it does not exceed.
    bool relaxBound(NodeId id)
    {
        if (++m_relaxed > mostRelaxed)
            return false;
        if (isFixed(id))
            return true;
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        if (isEnter(op) || copiesInput(op))
            return relaxBound(inputs[0].node);
        return op == "Minimum" &&
               (pass(id, 0, relaxBound(inputs[0].node)) || pass(id, 1, relaxBound(inputs[1].node)));
    }

    // Only nodes with one output pass a loop value on here.
    std::string sliceText(const Endpoint& tensor) const
    {
        const bool isPassed = controlFlow(m_graph.node(tensor.node).op()) != ControlFlow::None;
        return outputText(nameOf(tensor.node), isPassed ? 0 : tensor.port);
    }

    GraphPtr sliceGraph() const
    {
        Graph::Parts parts;
        parts.versions = m_graph.versions();
        parts.functions = m_graph.sharedFunctions();
        for (const std::uint32_t value : m_slice.nodes)
            parts.nodes.push_back(sliceNode(NodeId{value}));
        return Graph::make(std::move(parts));
    }

    NodePtr sliceNode(NodeId id) const
    {
        const Node& node = m_graph.node(id);
        const DType dtype = node.attr("T").asType().value_or(DType::Bool);
        if (m_frame.variableOf(id) != nullptr) {
            NodeDraft fed = newNode(nameOf(id), "Placeholder");
            fed.setAttr("dtype", attr::fromType(dtype));
            fed.setAttr("shape", attr::fromShape({{}, true}));
            return fed.finish();
        }
        const auto inputs = m_graph.inputs(id);
        if (const auto slot = passedSlot(id)) {
            NodeDraft copy = newNode(nameOf(id), "Identity", {sliceText(inputs[*slot])});
            copy.setAttr("T", attr::fromType(dtype));
            return copy.finish();
        }
        NodeDraft draft = NodeDraft::of(node);
        draft.removeAttr("_class");
        draft.inputs.clear();
        for (const Endpoint& from : inputs)
            if (!from.isControl())
                draft.inputs.push_back(sliceText(from));
        return draft.finish();
    }

    bool readStart(Session& session, std::vector<Value>& state, const Job& job) const
    {
        RunRequest request;
        for (const LoopFrame::Variable* variable : m_slice.variables)
            request.fetches.push_back(sliceText(variable->start));
        auto values = session.run(request, job);
        if (!values)
            return false;
        state = *std::move(values);
        return true;
    }

    const Graph& m_graph;
    const LoopFrame& m_frame;
    Slice m_slice;
    std::size_t m_relaxed = 0;                     // nodes that were looked at
    std::map<std::uint32_t, std::size_t> m_passed; // the slot of the input that replaces a node
};

} // namespace

bool isLoopNode(const Graph& graph, const LoopFrame& frame, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    if (isSwitch(op)) {
        const auto inputs = graph.inputs(id);
        return inputs.size() > 1 && inputs[1].node == frame.condition;
    }
    if (isMerge(op))
        return frame.variableOf(id) != nullptr;
    return controlFlow(op) != ControlFlow::None;
}

std::optional<TripCount> countTrips(const Graph& graph, const LoopFrame& frame, const Job& job)
{
    return TripCounter(graph, frame).count(job);
}

} // namespace lapidary
