// SPDX-License-Identifier: Apache-2.0
#include "transforms/match/pattern.h"

#include "graph_model/summary/summary.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

bool fitsOp(std::string_view op, std::string_view alternatives)
{
    if (alternatives == "*")
        return true;
    while (true) {
        const std::size_t bar = alternatives.find('|');
        if (op == alternatives.substr(0, bar))
            return true;
        if (bar == std::string_view::npos)
            return false;
        alternatives.remove_prefix(bar + 1);
    }
}

class Matcher {
public:
    explicit Matcher(const Graph& graph)
        : m_graph(graph)
        , m_claimed(graph.size(), false)
    {
    }

    // The recursion is as deep as the pattern, which is part of a pass.
    std::optional<Match> match(NodeId id, const Pattern& pattern) const
    {
        const Node& node = m_graph.node(id);
        if (m_claimed[id.value] || !fitsOp(node.op(), pattern.op))
            return std::nullopt;
        Match found{id, {}};
        if (pattern.inputs.empty())
            return found;
        const auto inputs = m_graph.inputs(id);
        std::size_t data = 0;
        for (const Endpoint& input : inputs) {
            if (input.isControl())
                continue;
            if (data == pattern.inputs.size() || !input.node.isValid())
                return std::nullopt;
            auto behind = match(input.node, pattern.inputs[data++]);
            if (!behind)
                return std::nullopt;
            found.inputs.push_back(std::move(*behind));
        }
        if (data != pattern.inputs.size())
            return std::nullopt;
        return found;
    }

    void claim(const Match& match)
    {
        for (const NodeId id : matchedNodes(match))
            m_claimed[id.value] = true;
    }

private:
    const Graph& m_graph;
    std::vector<bool> m_claimed;
};

// Returns the nodes in execution order; of a graph with a cycle, those that can be ordered.
Result<std::vector<NodeId>> searchOrder(const Graph& graph)
{
    auto order = executionOrder(graph);
    if (order)
        return order;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        for (const Endpoint& input : graph.inputs(NodeId{i}))
            if (!input.node.isValid())
                return order.error();
    return topologicalOrder(graph);
}

} // namespace

Result<std::vector<Match>> findMatches(const Graph& graph, const Pattern& pattern, const Job& job,
                                       Overlap overlap)
{
    ASSIGN_OR_RETURN(const auto order, searchOrder(graph));
    Matcher matcher(graph);
    std::vector<Match> matches;
    for (const NodeId id : order) {
        if (id.value % 1024 == 0 && job.cancelled())
            return cancelledError();
        auto found = matcher.match(id, pattern);
        if (!found)
            continue;
        if (overlap == Overlap::None)
            matcher.claim(*found);
        matches.push_back(std::move(*found));
    }
    return matches;
}

std::vector<NodeId> matchedNodes(const Match& match)
{
    std::vector<const Match*> level{&match};
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < level.size(); ++i) {
        const NodeId id = level[i]->node;
        if (std::ranges::find(nodes, id) == nodes.end())
            nodes.push_back(id);
        for (const Match& input : level[i]->inputs)
            level.push_back(&input);
    }
    return nodes;
}

} // namespace lapidary
