#include "graph_model/summary/input_name.h"
#include "graph_model/summary/summary.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {
namespace {

// How many inputs a node waits for. A merge of control flow is ready with its first data input, so
// that the back edge of a loop does not block it.
std::size_t pendingInputs(const Node& node)
{
    const std::string_view op = node.op();
    if (op != "Merge" && op != "RefMerge" && op != "_XlaMerge")
        return node.inputs().size();
    const auto controls = std::ranges::count_if(
        node.inputs(), [](const Input& input) { return input.text.starts_with('^'); });
    return std::size_t(controls) + 1;
}

struct Waiting {
    std::vector<std::size_t> pending;
    std::vector<std::vector<std::uint32_t>> successors;
    std::vector<std::uint32_t> ready;
};

Result<Waiting> waitingNodes(const Graph& graph)
{
    Waiting waiting;
    waiting.pending.resize(graph.size());
    waiting.successors.resize(graph.size());
    std::unordered_map<std::string_view, std::uint32_t> byName; // the last one of a name counts
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        byName[graph.node(NodeId{i}).name()] = i;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        waiting.pending[i] = pendingInputs(node);
        if (node.inputs().empty())
            waiting.ready.push_back(i);
        for (const Input& input : node.inputs()) {
            const auto producer = byName.find(nodeNameOfInput(input.text));
            if (producer == byName.end())
                return Error{ErrorCode::InvalidArgument, "Node '" + std::string(node.name()) +
                                                             "': Unknown input node '" +
                                                             std::string(input.text) + "'"};
            waiting.successors[producer->second].push_back(i);
        }
    }
    return waiting;
}

} // namespace

Result<std::vector<NodeId>> executionOrder(const Graph& graph)
{
    auto waiting = waitingNodes(graph);
    if (!waiting)
        return waiting.error();
    Waiting& state = waiting.value();
    std::vector<NodeId> order;
    order.reserve(graph.size());
    while (!state.ready.empty()) {
        const std::uint32_t next = state.ready.back();
        state.ready.pop_back();
        order.push_back(NodeId{next});
        for (const std::uint32_t successor : state.successors[next])
            if (state.pending[successor]-- == 1)
                state.ready.push_back(successor);
    }
    if (order.size() < graph.size())
        return Error{ErrorCode::InvalidArgument,
                     std::to_string(graph.size() - order.size()) + " nodes in a cycle"};
    return order;
}

} // namespace lapidary
