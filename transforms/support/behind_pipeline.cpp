// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/pass/interface_names.h"
#include "transforms/support/remedies.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether an op belongs to a pipeline or turns bytes of files into numbers.
bool decodes(std::string_view op)
{
    return op.starts_with("Decode") || op == "ReadFile" || isPipelineOp(op);
}

std::vector<NodeId> idsOf(const Graph& graph, const std::vector<std::string>& names)
{
    std::vector<NodeId> ids;
    for (const std::string& name : names)
        if (const NodeId id = graph.find(nodeOfInput(name)); id.isValid())
            ids.push_back(id);
    return ids;
}

} // namespace

std::vector<std::string> inputsBehindPipeline(const Graph& graph,
                                              const std::vector<std::string>& inputs,
                                              const std::vector<std::string>& outputs)
{
    const std::vector<NodeId> old = idsOf(graph, inputs);
    const std::vector<bool> isNeeded = keptNodes(graph, old, idsOf(graph, outputs));
    const auto isInput = [&](NodeId id) { return std::ranges::find(old, id) != old.end(); };
    std::vector<NodeId> fed;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        if (!isNeeded[i] || isInput(id) || !decodes(graph.node(id).op()))
            continue;
        bool isRead = false;
        bool isFirstOutput = true;
        for (const Consumer& consumer : graph.consumers(id)) {
            const bool counts = !consumer.isControl() && isNeeded[consumer.node.value] &&
                                !decodes(graph.node(consumer.node).op());
            isRead |= counts;
            isFirstOutput &= !counts || consumer.port == 0;
        }
        if (isRead && isFirstOutput)
            fed.push_back(id);
    }
    // An old input that only the pipeline reads is no longer an input.
    std::vector<NodeId> all = fed;
    all.insert(all.end(), old.begin(), old.end());
    const std::vector<bool> isStillNeeded = keptNodes(graph, all, idsOf(graph, outputs));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (isStillNeeded[old[i].value])
            names.emplace_back(graph.node(old[i]).name());
    for (const NodeId id : fed)
        if (isStillNeeded[id.value])
            names.emplace_back(graph.node(id).name());
    return names;
}

} // namespace lapidary
