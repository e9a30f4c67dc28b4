// SPDX-License-Identifier: Apache-2.0
#include "app/base/drawn_network.h"

#include "graph_model/explore/served_network.h"
#include "graph_model/graph/function.h"
#include "graph_model/graph/node_maker.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/functions/expand_nodes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t largestOpened = 400'000; // in nodes

bool holdsBranches(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        const CallKind kind = callKind(node->op());
        return kind == CallKind::Loop || kind == CallKind::Branch;
    });
}

bool callsFunctions(const Graph& graph)
{
    return graph.functions() != nullptr &&
           std::ranges::any_of(graph.nodes(), [&](const NodePtr& node) {
               return isFunctionCall(graph, node->op());
           });
}

// Returns the tensors that signatures name: passes keep those.
PassArgs endsOf(const GraphEntry& entry)
{
    PassArgs args;
    for (const Signature& signature : entry.signatures) {
        for (const SignatureTensor& input : signature.inputs)
            args.inputs.push_back(input.tensor);
        for (const SignatureTensor& output : signature.outputs)
            args.outputs.push_back(output.tensor);
    }
    return args;
}

// Removes nodes that opened loops leave without a reader: exits of loop variables, and Identity
// nodes that keep constants inside the loop, which are of no use in a picture. Nodes of `before`,
// which may be null, are kept.
GraphPtr withoutRests(const Graph& graph, const Graph* before)
{
    const auto isRest = [&](NodeId id) {
        const Node& node = graph.node(id);
        const bool isHold = node.op() == "Identity" && !graph.consumers(id).empty();
        if ((before != nullptr && before->find(node.name()).isValid()) ||
            (!isExit(node.op()) && !isHold))
            return false;
        return std::ranges::all_of(graph.consumers(id), [&](const Consumer& reader) {
            return reader.isControl() && isConstant(graph.node(reader.node).op());
        });
    };
    NodeMaker maker;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        if (isRest(NodeId{i}))
            continue;
        std::vector<std::string> inputs;
        for (std::size_t slot = 0; slot < node.inputs().size(); ++slot) {
            const NodeId from = graph.inputs(NodeId{i})[slot].node;
            if (!from.isValid() || !isRest(from))
                inputs.emplace_back(node.inputs()[slot].text);
        }
        NodeMaker::Changes changes;
        changes.inputs = &inputs;
        maker.add(node, changes);
    }
    return Graph::make({.nodes = std::move(maker).finish(),
                        .versions = graph.versions(),
                        .functions = graph.sharedFunctions(),
                        .unknownFields = {},
                        .firstPort = nullptr,
                        .sameWiring = nullptr});
}

} // namespace

std::optional<GraphEntry> drawnNetwork(const GraphEntry& entry, const Job& job)
{
    std::optional<GraphEntry> network = servedNetwork(entry);
    const GraphEntry& shown = network ? *network : entry;
    if (!shown.graph || shown.graph->size() > largestOpened)
        return network;
    const bool hasBranches = holdsBranches(*shown.graph);
    if (!hasBranches && (network || !callsFunctions(*shown.graph)))
        return network;
    const Expander::Kinds kinds{.calls = true, .branches = true, .loops = true};
    const auto opened = expandNodes(shown.graph, endsOf(shown), kinds, job);
    if (!opened || opened->graph == shown.graph || opened->graph->size() > largestOpened)
        return network;
    GraphEntry drawn = shown;
    drawn.graph = withoutRests(*opened->graph, network ? nullptr : shown.graph.get());
    if (!network && !hasBranches)
        drawn.title += drawn.title.empty() ? "functions opened" : ", functions opened";
    else if (!network)
        drawn.title += drawn.title.empty() ? "loops and branches opened" : ", loops opened";
    return drawn;
}

} // namespace lapidary
