// SPDX-License-Identifier: Apache-2.0
// Kahn's algorithm in file order. The edge NextIteration -> Merge that closes a loop of TensorFlow
// 1 is not counted; any other cycle is opened at its first node in the file.
#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

class Sorter {
public:
    explicit Sorter(const Graph& graph)
        : m_graph(graph)
        , m_open(graph.size(), 0)
        , m_turns(graph.size(), false)
    {
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            m_turns[i] = isNextIteration(graph.node({i}).op());
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            for (const Endpoint& from : graph.inputs({i}))
                m_open[i] += counts(from.node, NodeId{i}) ? 1 : 0;
    }

    std::vector<NodeId> run()
    {
        m_order.reserve(m_graph.size());
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (m_open[i] == 0)
                place(NodeId{i});
        for (std::uint32_t i = 0; drain(), i < m_graph.size(); ++i)
            if (m_open[i] > 0)
                place(NodeId{i}); // part of a cycle, or after one
        return std::move(m_order);
    }

private:
    bool counts(NodeId from, NodeId reader) const
    {
        return from.isValid() && !(m_turns[from.value] && isMerge(m_graph.node(reader).op()));
    }

    void place(NodeId id)
    {
        m_open[id.value] = placed;
        m_order.push_back(id);
    }

    void drain()
    {
        for (; m_next < m_order.size(); ++m_next) {
            const NodeId id = m_order[m_next];
            for (const Consumer& reader : m_graph.consumers(id)) {
                std::int64_t& open = m_open[reader.node.value];
                if (open != placed && counts(id, reader.node) && --open == 0)
                    place(reader.node);
            }
        }
    }

    static constexpr std::int64_t placed = -1;
    const Graph& m_graph;
    std::vector<std::int64_t> m_open;
    std::vector<bool> m_turns; // back edges of loops
    std::vector<NodeId> m_order;
    std::size_t m_next = 0;
};

} // namespace

std::vector<NodeId> topologicalOrder(const Graph& graph)
{
    return Sorter(graph).run();
}

} // namespace lapidary
