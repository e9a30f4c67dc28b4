// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/returned_tensors.h"

#include "graph_model/ops/op_traits.h"

#include <set>
#include <string>
#include <utility>

namespace lapidary {
namespace {

// Returns the tensor of a marker node; invalid for other nodes.
Endpoint returnedBy(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    const auto inputs = graph.inputs(id);
    if (!isFunctionResult(node.op()) || node.isSynthetic() || inputs.empty() ||
        inputs[0].isControl())
        return {};
    return inputs[0];
}

} // namespace

void offerReturnedTensors(const Graph& graph, std::vector<Weighed>& outputs)
{
    std::set<std::string> returned;
    for (const Weighed& weighed : outputs)
        if (const Endpoint from = returnedBy(graph, weighed.candidate.node); from.node.isValid())
            returned.insert(tensorName(graph, from));
    std::erase_if(outputs, [&](const Weighed& weighed) {
        return returned.contains(weighed.candidate.tensor);
    });
    for (Weighed& weighed : outputs) {
        const Endpoint from = returnedBy(graph, weighed.candidate.node);
        if (!from.node.isValid())
            continue;
        Candidate tensor = candidateFor(graph, from.node, from.port);
        tensor.reasons = std::move(weighed.candidate.reasons);
        weighed.candidate = std::move(tensor);
    }
    std::erase_if(outputs, [&](const Weighed& weighed) {
        return isFunctionResult(graph.node(weighed.candidate.node).op()) &&
               !graph.node(weighed.candidate.node).isSynthetic();
    });
}

} // namespace lapidary
