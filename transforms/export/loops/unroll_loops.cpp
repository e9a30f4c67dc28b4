// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/unroll_loops.h"

#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/loops/loop_frame.h"
#include "transforms/export/loops/trip_count.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

constexpr std::size_t mostUnrolledNodes = 200'000;

// Writes the copies of the body. If the inputs may end the loop earlier, each step checks whether
// the loop continues: if not, its variables keep their values, and it writes zeros to TensorArrays,
// which are also read from an index that was never written.
class Unrolling {
public:
    Unrolling(const Graph& graph, const LoopFrame& frame, const TripCount& trips)
        : m_graph(graph)
        , m_frame(frame)
        , m_trips(trips)
    {
        for (const LoopFrame::Variable& variable : frame.variables)
            m_state[variable.merge.value] = textOf(variable.start);
        m_results = m_state;
    }

    GraphPtr unroll()
    {
        m_parts.versions = m_graph.versions();
        m_parts.functions = m_graph.sharedFunctions();
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (!m_frame.isInside[i] && !isOwnExit(NodeId{i}))
                m_parts.nodes.push_back(m_graph.nodes()[i]);
        for (m_step = 0; m_step < m_trips.most; ++m_step)
            addStep();
        m_state = m_results;
        for (const NodeId exit : m_frame.exits)
            addCopy(std::string(m_graph.node(exit).name()), reference(m_graph.inputs(exit)[0]),
                    m_graph.node(exit));
        return Graph::make(std::move(m_parts));
    }

private:
    std::string textOf(const Endpoint& tensor) const { return outputText(m_graph, tensor); }

    bool isOwnExit(NodeId id) const { return m_frame.isOwnExit[id.value]; }

    // Returns a tensor as the current step reads it.
    std::string reference(Endpoint tensor) const
    {
        while (m_frame.isInside[tensor.node.value]) {
            const Node& node = m_graph.node(tensor.node);
            if (const auto state = m_state.find(tensor.node.value); state != m_state.end())
                return state->second;
            if (!isLoopNode(m_graph, m_frame, tensor.node))
                return outputText(copyName(node), tensor.port);
            tensor = m_graph.inputs(tensor.node)[0];
        }
        return textOf(tensor);
    }

    std::string copyName(const Node& node) const
    {
        return std::string(node.name()) + "/step" + std::to_string(m_step);
    }

    void addCopy(const std::string& name, const std::string& input, const Node& like)
    {
        NodeDraft draft = newNode(name, "Identity", {input});
        copyAttr(like, "T", draft);
        m_parts.nodes.push_back(draft.finish());
    }

    // Selects `whenActive` while the loop still runs at this step.
    std::string select(const std::string& name, const std::string& whenActive,
                       const std::string& otherwise, DType dtype)
    {
        NodeDraft draft = newNode(name, "Select", {m_active, whenActive, otherwise});
        draft.setAttr("T", attr::fromType(dtype));
        m_parts.nodes.push_back(draft.finish());
        return name;
    }

    std::string selectOrZeros(const std::string& name, const std::string& value, DType dtype)
    {
        NodeDraft zeros = newNode(name + "/zeros", "ZerosLike", {value});
        zeros.setAttr("T", attr::fromType(dtype));
        m_parts.nodes.push_back(zeros.finish());
        return select(name, value, name + "/zeros", dtype);
    }

    void addStep()
    {
        if (!m_trips.isExact)
            addActive();
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
            constexpr std::size_t value = 2; // input of a write: handle, index, value, flow
            if (!m_trips.isExact && node.op() == "TensorArrayWriteV3" &&
                draft.inputs.size() > value)
                draft.inputs[value] = selectOrZeros(draft.name + "/active", draft.inputs[value],
                                                    node.attr("T").asType().value_or(DType::Float));
            m_parts.nodes.push_back(draft.finish());
        }
        takeState();
    }

    // Adds the tensor that tells whether the loop continues at this step. Once it has ended, it
    // does not begin again.
    void addActive()
    {
        const Endpoint condition = m_graph.inputs(m_frame.condition)[0];
        const std::string goesOn = reference(condition);
        if (m_step == 0) {
            m_active = goesOn;
            return;
        }
        const std::string name = copyName(m_graph.node(m_frame.condition)) + "/active";
        m_parts.nodes.push_back(newNode(name, "LogicalAnd", {m_active, goesOn}).finish());
        m_active = name;
    }

    void takeState()
    {
        std::map<std::uint32_t, std::string> next;
        for (const LoopFrame::Variable& variable : m_frame.variables) {
            const std::uint32_t merge = variable.merge.value;
            next[merge] = reference(variable.next);
            if (m_trips.isExact || isFlow(variable)) {
                m_results[merge] = next[merge];
                continue;
            }
            const Node& node = m_graph.node(variable.merge);
            m_results[merge] = select(copyName(node), next[merge], m_results[merge],
                                      node.attr("T").asType().value_or(DType::Float));
            if (!m_trips.fixedVariables.contains(merge))
                next[merge] = m_results[merge];
        }
        m_state = std::move(next);
    }

    // Returns whether a variable is the flow of a TensorArray, whose content only the writes
    // change.
    bool isFlow(const LoopFrame::Variable& variable) const
    {
        Endpoint from = variable.start;
        while (copiesInput(m_graph.node(from.node).op()) && !m_graph.inputs(from.node).empty())
            from = m_graph.inputs(from.node)[0];
        const std::string_view op = m_graph.node(from.node).op();
        return op == "TensorArrayWriteV3" || op == "TensorArrayScatterV3" ||
               op == "TensorArraySplitV3" || (op == "TensorArrayV3" && from.port == 1);
    }

    const Graph& m_graph;
    const LoopFrame& m_frame;
    const TripCount& m_trips;
    Graph::Parts m_parts;
    std::size_t m_step = 0;
    std::string m_active;                           // of the current step
    std::map<std::uint32_t, std::string> m_state;   // of the variables, by their Merge
    std::map<std::uint32_t, std::string> m_results; // their values if the loop ends here
};

} // namespace

Result<GraphPtr> unrollLoops(const GraphPtr& graph, const std::set<std::string>& kept,
                             const Job& job)
{
    GraphPtr current = graph;
    while (true) {
        const FoundLoop found = findInnermostLoop(*current, kept);
        if (!found.frame)
            return current;
        const auto trips = countTrips(*current, *found.frame, job);
        if (job.cancelled())
            return cancelledError();
        if (!trips || trips->most * found.frame->nodes.size() > mostUnrolledNodes)
            return current;
        current = Unrolling(*current, *found.frame, *trips).unroll();
    }
}

} // namespace lapidary
