// SPDX-License-Identifier: Apache-2.0
#include "runner/node_data/cost_data.h"

#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

NodeData costColumn(const char* name, const char* unit, ScopeNumber ofScope)
{
    NodeData data;
    data.name = name;
    data.unit = unit;
    data.source = costSource;
    data.ofScope = ofScope;
    return data;
}

// Returns the weight that an input delivers, through copies, conversions and reads; invalid if
// there is none.
NodeId weightBehind(const Graph& graph, NodeId node)
{
    constexpr int mostSteps = 16;
    for (int step = 0; step < mostSteps; ++step) {
        if (isParameter(graph.node(node)))
            return node;
        const auto inputs = graph.inputs(node);
        if (!deliversWeight(graph.node(node).op()) || inputs.empty())
            return {};
        node = inputs.front().node;
    }
    return {};
}

// Returns for each node the number of parameters in the weights that it is the first to compute
// with.
std::vector<std::int64_t> parametersOfReaders(const Graph& graph, const GraphCost& cost)
{
    std::vector<std::int64_t> ofReader(graph.size());
    std::vector<bool> isCounted(graph.size());
    for (const NodeId reader : topologicalOrder(graph)) {
        if (deliversWeight(graph.node(reader).op()))
            continue;
        for (const Endpoint& from : graph.inputs(reader)) {
            const NodeId weight = weightBehind(graph, from.node);
            if (!weight.isValid() || isCounted[weight.value])
                continue;
            isCounted[weight.value] = true;
            ofReader[reader.value] =
                saturatedSum(ofReader[reader.value], cost.nodes[weight.value].parameters);
        }
    }
    return ofReader;
}

} // namespace

std::vector<NodeData> costData(const Graph& graph, const GraphCost& cost)
{
    NodeData flops = costColumn("FLOPs", "FLOP", ScopeNumber::Sum);
    NodeData parameters = costColumn("Parameters", "", ScopeNumber::Sum);
    NodeData outputs = costColumn("Activations", "B", ScopeNumber::Sum);
    NodeData moved = costColumn("Bytes per FLOP", "", ScopeNumber::Largest);
    const std::vector<std::int64_t> ofReader = parametersOfReaders(graph, cost);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeCost& of = cost.nodes[i];
        const Node& node = graph.node(NodeId{i});
        const std::string name(node.name());
        if (ofReader[i] > 0)
            parameters.numbers.push_back({name, double(ofReader[i])});
        if (!of.isCertain || isParameter(node))
            continue;
        if (of.outputBytes > 0)
            outputs.numbers.push_back({name, double(of.outputBytes)});
        if (of.flops <= 0)
            continue;
        flops.numbers.push_back({name, double(of.flops)});
        moved.numbers.push_back(
            {name, double(saturatedSum(of.inputBytes, of.outputBytes)) / double(of.flops)});
    }
    return {std::move(flops), std::move(parameters), std::move(outputs), std::move(moved)};
}

} // namespace lapidary
