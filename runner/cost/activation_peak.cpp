// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "runner/cost/graph_cost.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether the output of an op is its first input under another name or in another shape, in
// the same memory.
bool renamesInput(std::string_view op)
{
    return passesInputOn(op) || keepsElements(op) || controlFlow(op) != ControlFlow::None ||
           op == "PlaceholderWithDefault";
}

constexpr std::uint32_t nobody = UINT32_MAX;

class LiveSet {
public:
    LiveSet(const Graph& graph, const InferredShapes& shapes)
        : m_graph(graph)
        , m_shapes(shapes)
        , m_holder(graph.size(), nobody)
        , m_readersLeft(graph.size(), 0)
        , m_bytes(graph.size(), 0)
    {
    }

    ActivationPeak run()
    {
        const std::vector<NodeId> order = topologicalOrder(m_graph);
        for (const NodeId id : order)
            chooseHolder(id);
        for (const NodeId id : order)
            countReaders(id);
        ActivationPeak peak;
        for (const NodeId id : order) {
            m_live = saturatedSum(m_live, m_bytes[id.value]);
            if (m_live > peak.bytes)
                peak = {m_live, id};
            for (const Endpoint& from : m_graph.inputs(id))
                release(from);
        }
        return peak;
    }

private:
    // Finds the node that owns the memory of a node's outputs: itself, or the one that computed the
    // value that it passes on.
    void chooseHolder(NodeId id)
    {
        const Node& node = m_graph.node(id);
        m_holder[id.value] = id.value;
        if (isParameter(node))
            return;
        const auto inputs = m_graph.inputs(id);
        const bool renames = renamesInput(node.op());
        if (renames && !inputs.empty() && !inputs[0].isControl() && inputs[0].node.isValid() &&
            m_holder[inputs[0].node.value] != nobody) {
            m_holder[id.value] = m_holder[inputs[0].node.value];
            return;
        }
        for (std::size_t port = 0; port < m_shapes.outputCount(id); ++port)
            m_bytes[id.value] = saturatedSum(m_bytes[id.value],
                                             tensorBytes(*m_shapes.find({id, std::int32_t(port)})));
    }

    void countReaders(NodeId id)
    {
        for (const Endpoint& from : m_graph.inputs(id))
            if (!from.isControl() && from.node.isValid())
                ++m_readersLeft[m_holder[from.node.value]];
    }

    void release(const Endpoint& from)
    {
        if (from.isControl() || !from.node.isValid())
            return;
        const std::uint32_t holder = m_holder[from.node.value];
        if (m_readersLeft[holder] > 0 && --m_readersLeft[holder] == 0)
            m_live -= std::min(m_live, m_bytes[holder]);
    }

    const Graph& m_graph;
    const InferredShapes& m_shapes;
    std::vector<std::uint32_t> m_holder;
    std::vector<std::uint32_t> m_readersLeft;
    std::vector<std::int64_t> m_bytes;
    std::int64_t m_live = 0;
};

} // namespace

ActivationPeak activationPeak(const Graph& graph, const InferredShapes& shapes)
{
    return LiveSet(graph, shapes).run();
}

} // namespace lapidary
