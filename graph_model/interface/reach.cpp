#include "graph_model/interface/interface_ranking.h"

namespace lapidary {
namespace {

constexpr std::int64_t edgesWorthLooking = 20'000'000;

}

ReachCounter::ReachCounter(const Graph& graph)
    : m_graph(graph)
    , m_seenBy(graph.size(), 0)
    , m_workLeft(edgesWorthLooking)
{
}

std::optional<std::size_t> ReachCounter::count(NodeId start, Direction direction)
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
        const std::string_view op = m_graph.node(id).op();
        reached += op == "Const" || isVariableOp(op) ? 0 : 1;
        if (direction == Direction::ToInputs) {
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
