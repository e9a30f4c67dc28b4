// SPDX-License-Identifier: Apache-2.0
#include "app/document/drawn_network.h"

#include "graph_model/explore/served_network.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/functions/expand_nodes.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t largestOpened = 400'000; // nodes

bool holdsBranches(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        const CallKind kind = callKind(node->op());
        return kind == CallKind::Loop || kind == CallKind::Branch;
    });
}

// What signatures name stays.
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

} // namespace

std::optional<GraphEntry> drawnNetwork(const GraphEntry& entry, const Job& job)
{
    std::optional<GraphEntry> network = servedNetwork(entry);
    const GraphEntry& shown = network ? *network : entry;
    if (!shown.graph || shown.graph->size() > largestOpened || !holdsBranches(*shown.graph))
        return network;
    const Expander::Kinds kinds{.calls = true, .branches = true, .loops = true};
    const auto opened = expandNodes(shown.graph, endsOf(shown), kinds, job);
    if (!opened || opened->graph == shown.graph || opened->graph->size() > largestOpened)
        return network;
    GraphEntry drawn = shown;
    drawn.graph = opened->graph;
    if (!network)
        drawn.title += drawn.title.empty() ? "loops and branches opened" : ", loops opened";
    return drawn;
}

} // namespace lapidary
