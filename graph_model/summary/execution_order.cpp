// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "graph_model/summary/input_name.h"
#include "graph_model/summary/summary.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

// Returns the number of inputs that a node waits for. A merge of control flow is ready with its
// first data input, so that the back edge of a loop does not block it.
std::size_t pendingInputs(const Node& node)
{
    if (!isMerge(node.op()))
        return node.inputs().size();
    const auto controls = std::ranges::count_if(
        node.inputs(), [](const Input& input) { return input.text.starts_with('^'); });
    return std::size_t(controls) + 1;
}

// Finds the node that an input reads; of several of that name the last one counts.
class Producers {
public:
    explicit Producers(const Graph& graph)
        : m_graph(graph)
    {
        if (graph.namesAreUnique())
            return;
        m_lastOfName.resize(graph.size());
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            m_lastOfName[graph.find(graph.node(NodeId{i}).name()).value] = NodeId{i};
    }

    // Returns an invalid ID if no node has that name.
    NodeId of(NodeId reader, std::size_t slot) const
    {
        const Input& input = m_graph.node(reader).inputs()[slot];
        const std::string_view name = nodeNameOfInput(input.text);
        const NodeId first =
            name == input.node ? m_graph.inputs(reader)[slot].node : m_graph.find(name);
        return first.isValid() && !m_lastOfName.empty() ? m_lastOfName[first.value] : first;
    }

private:
    const Graph& m_graph;
    std::vector<NodeId> m_lastOfName; // by the first node of that name; empty if names are unique
};

struct Waiting {
    std::vector<std::size_t> pending;
    std::vector<std::uint32_t> readers; // of all nodes, grouped by node
    std::vector<std::uint32_t> readersStart;
    std::vector<std::uint32_t> ready;
};

// Counting sort by producer: the readers of a node come out in node order.
void collectReaders(const std::vector<NodeId>& producers, const Graph& graph, Waiting& waiting)
{
    waiting.readersStart.assign(graph.size() + 1, 0);
    for (const NodeId producer : producers)
        ++waiting.readersStart[producer.value + 1];
    for (std::size_t i = 0; i < graph.size(); ++i)
        waiting.readersStart[i + 1] += waiting.readersStart[i];
    waiting.readers.resize(producers.size());
    std::vector<std::uint32_t> next(waiting.readersStart.begin(), waiting.readersStart.end() - 1);
    auto producer = producers.begin();
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        for (std::size_t left = graph.node(NodeId{i}).inputs().size(); left > 0; --left)
            waiting.readers[next[(producer++)->value]++] = i;
}

Result<Waiting> waitingNodes(const Graph& graph)
{
    Waiting waiting;
    waiting.pending.resize(graph.size());
    const Producers producers(graph);
    std::vector<NodeId> found; // one entry for each input of all nodes
    found.reserve(graph.edgeCount());
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        waiting.pending[i] = pendingInputs(node);
        if (node.inputs().empty())
            waiting.ready.push_back(i);
        for (std::size_t slot = 0; slot < node.inputs().size(); ++slot) {
            found.push_back(producers.of(NodeId{i}, slot));
            if (!found.back().isValid())
                return Error{ErrorCode::InvalidArgument,
                             "Node '" + std::string(node.name()) + "': Unknown input node '" +
                                 std::string(node.inputs()[slot].text) + "'"};
        }
    }
    collectReaders(found, graph, waiting);
    return waiting;
}

} // namespace

Result<std::vector<NodeId>> executionOrder(const Graph& graph)
{
    ASSIGN_OR_RETURN(auto waiting, waitingNodes(graph));
    Waiting& state = waiting;
    std::vector<NodeId> order;
    order.reserve(graph.size());
    while (!state.ready.empty()) {
        const std::uint32_t next = state.ready.back();
        state.ready.pop_back();
        order.push_back(NodeId{next});
        for (std::uint32_t at = state.readersStart[next]; at < state.readersStart[next + 1]; ++at)
            if (const std::uint32_t reader = state.readers[at]; state.pending[reader]-- == 1)
                state.ready.push_back(reader);
    }
    if (order.size() < graph.size())
        return Error{ErrorCode::InvalidArgument,
                     std::to_string(graph.size() - order.size()) + " nodes in a cycle"};
    return order;
}

} // namespace lapidary
