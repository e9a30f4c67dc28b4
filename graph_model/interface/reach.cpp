// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface_ranking.h"
#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

constexpr std::int64_t edgesWorthLooking = 8'000'000;

}

ReachCounter::ReachCounter(const Graph& graph)
    : m_graph(graph)
    , m_seenBy(graph.size(), 0)
    , m_workLeft(edgesWorthLooking)
{
    m_counts.reserve(graph.size());
    for (const NodePtr& node : graph.nodes())
        m_counts.push_back(!isConstant(node->op()) && !isVariable(node->op()));
}

std::optional<std::size_t> ReachCounter::count(NodeId start, ReachDirection direction)
{
    ++m_stamp;
    std::size_t reached = 0;
    const auto visit = [this](NodeId id) {
        if (!id.isValid() || m_seenBy[id.value] == m_stamp)
            return;
        m_seenBy[id.value] = m_stamp;
        m_open.push_back(id);
    };
    visit(start);
    while (!m_open.empty() && m_workLeft > 0) {
        const NodeId id = m_open.back();
        m_open.pop_back();
        reached += m_counts[id.value];
        if (direction == ReachDirection::ToInputs) {
            m_workLeft -= std::int64_t(m_graph.inputs(id).size());
            for (const Endpoint& input : m_graph.inputs(id))
                if (!input.isControl())
                    visit(input.node);
        } else {
            m_workLeft -= std::int64_t(m_graph.consumers(id).size());
            for (const Consumer& consumer : m_graph.consumers(id))
                if (!consumer.isControl())
                    visit(consumer.node);
        }
    }
    m_open.clear();
    if (m_workLeft <= 0)
        return {};
    return reached;
}

} // namespace lapidary
