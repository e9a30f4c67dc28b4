#include "graph_model/graph/graph.h"

#include <utility>

namespace lapidary {

Graph::Graph(Parts parts)
    : m_parts(std::move(parts))
    , m_byName(m_parts.nodes)
{
    resolveInputs();
    collectConsumers();
    m_parts.firstPort = nullptr;
}

GraphPtr Graph::make(Parts parts)
{
    return GraphPtr(new Graph(std::move(parts)));
}

void Graph::resolveInputs()
{
    std::size_t total = 0;
    for (const NodePtr& node : m_parts.nodes)
        total += node->inputs().size();
    m_inputs.reserve(total);
    m_inputStart.reserve(size() + 1);
    m_inputStart.push_back(0);
    for (const NodePtr& node : m_parts.nodes) {
        for (const Input& input : node->inputs()) {
            Endpoint from{m_byName.find(input.node, m_parts.nodes), input.port};
            if (!input.output.empty() && from.node.isValid() && m_parts.firstPort)
                from.port += m_parts.firstPort(*m_parts.nodes[from.node.value], input.output);
            m_inputs.push_back(from);
        }
        m_inputStart.push_back(std::uint32_t(m_inputs.size()));
    }
}

// Counting sort by producer: readers come out in node order, then slot order.
void Graph::collectConsumers()
{
    m_consumerStart.assign(size() + 1, 0);
    for (const Endpoint& from : m_inputs)
        if (from.node.isValid())
            ++m_consumerStart[from.node.value + 1];
    for (std::size_t i = 0; i < size(); ++i)
        m_consumerStart[i + 1] += m_consumerStart[i];
    m_consumers.resize(m_consumerStart.back());
    std::vector<std::uint32_t> next(m_consumerStart.begin(), m_consumerStart.end() - 1);
    for (std::uint32_t reader = 0; reader < size(); ++reader) {
        const std::uint32_t begin = m_inputStart[reader];
        for (std::uint32_t at = begin; at < m_inputStart[reader + 1]; ++at) {
            const Endpoint& from = m_inputs[at];
            if (from.node.isValid())
                m_consumers[next[from.node.value]++] = {NodeId{reader}, at - begin, from.port};
        }
    }
}

NodeId Graph::find(std::string_view name) const
{
    return m_byName.find(name, m_parts.nodes);
}

std::span<const Endpoint> Graph::inputs(NodeId id) const
{
    const std::uint32_t begin = m_inputStart[id.value];
    return {m_inputs.data() + begin, m_inputStart[id.value + 1] - begin};
}

std::span<const Consumer> Graph::consumers(NodeId id) const
{
    const std::uint32_t begin = m_consumerStart[id.value];
    return {m_consumers.data() + begin, m_consumerStart[id.value + 1] - begin};
}

} // namespace lapidary
