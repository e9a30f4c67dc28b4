// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph.h"

#include <utility>

namespace lapidary {

Graph::Wiring::Wiring(const Parts& parts)
    : byName(parts.nodes)
{
    resolveInputs(parts);
    collectConsumers(parts.nodes.size());
}

Graph::Graph(Parts parts)
    : m_parts(std::move(parts))
    , m_wiring(m_parts.sameWiring ? m_parts.sameWiring->m_wiring
                                  : std::make_shared<const Wiring>(m_parts))
{
    m_parts.firstPort = nullptr;
    m_parts.sameWiring = nullptr;
}

GraphPtr Graph::make(Parts parts)
{
    return GraphPtr(new Graph(std::move(parts)));
}

void Graph::Wiring::resolveInputs(const Parts& parts)
{
    std::size_t total = 0;
    for (const NodePtr& node : parts.nodes)
        total += node->inputs().size();
    inputs.reserve(total);
    inputStart.reserve(parts.nodes.size() + 1);
    inputStart.push_back(0);
    for (const NodePtr& node : parts.nodes) {
        for (const Input& input : node->inputs()) {
            Endpoint from{byName.find(input.node, parts.nodes), input.port};
            if (!input.output.empty() && from.node.isValid() && parts.firstPort)
                from.port += parts.firstPort(*parts.nodes[from.node.value], input.output);
            inputs.push_back(from);
        }
        inputStart.push_back(std::uint32_t(inputs.size()));
    }
}

// Counting sort by producer: readers come out in node order, then slot order.
void Graph::Wiring::collectConsumers(std::size_t size)
{
    consumerStart.assign(size + 1, 0);
    for (const Endpoint& from : inputs)
        if (from.node.isValid())
            ++consumerStart[from.node.value + 1];
    for (std::size_t i = 0; i < size; ++i)
        consumerStart[i + 1] += consumerStart[i];
    consumers.resize(consumerStart.back());
    std::vector<std::uint32_t> next(consumerStart.begin(), consumerStart.end() - 1);
    for (std::uint32_t reader = 0; reader < size; ++reader) {
        const std::uint32_t begin = inputStart[reader];
        for (std::uint32_t at = begin; at < inputStart[reader + 1]; ++at) {
            const Endpoint& from = inputs[at];
            if (from.node.isValid())
                consumers[next[from.node.value]++] = {NodeId{reader}, at - begin, from.port};
        }
    }
}

NodeId Graph::find(std::string_view name) const
{
    return m_wiring->byName.find(name, m_parts.nodes);
}

std::span<const Endpoint> Graph::inputs(NodeId id) const
{
    const std::uint32_t begin = m_wiring->inputStart[id.value];
    return {m_wiring->inputs.data() + begin, m_wiring->inputStart[id.value + 1] - begin};
}

std::span<const Consumer> Graph::consumers(NodeId id) const
{
    const std::uint32_t begin = m_wiring->consumerStart[id.value];
    return {m_wiring->consumers.data() + begin, m_wiring->consumerStart[id.value + 1] - begin};
}

std::string outputText(const Graph& graph, const Endpoint& output)
{
    return outputText(graph.node(output.node).name(), output.port);
}

std::string tensorName(const Graph& graph, const Endpoint& output)
{
    return tensorName(graph.node(output.node).name(), output.port);
}

} // namespace lapidary
