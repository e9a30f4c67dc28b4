// SPDX-License-Identifier: Apache-2.0
//   before:  z = f(codes, ^d), d = Dequantize(codes, min, max)
//   after:   z = f(codes)
//
// Otherwise d, which no node reads any more, would be computed only because f waits for it.
#include "transforms/quantize/quantize_steps.h"

#include <algorithm>

namespace lapidary {
namespace {

NodeId codesOf(const Graph& graph, NodeId dequantize)
{
    for (const Endpoint& from : graph.inputs(dequantize))
        if (!from.isControl())
            return from.node;
    return {};
}

bool isNeedless(const Graph& graph, NodeId reader, const Endpoint& wait)
{
    if (!wait.isControl() || !wait.node.isValid() || graph.node(wait.node).op() != "Dequantize")
        return false;
    const NodeId codes = codesOf(graph, wait.node);
    return codes.isValid() && std::ranges::any_of(graph.inputs(reader), [&](const Endpoint& from) {
               return !from.isControl() && from.node == codes;
           });
}

} // namespace

Result<EditResult> dropWaits(const GraphPtr& graph, const Job& job, Findings* findings)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const NodeId id{i};
        const auto inputs = graph->inputs(id);
        if (std::ranges::none_of(
                inputs, [&](const Endpoint& from) { return isNeedless(*graph, id, from); }))
            continue;
        NodeDraft draft = NodeDraft::of(graph->node(id));
        std::size_t slot = 0;
        std::erase_if(draft.inputs,
                      [&](const std::string&) { return isNeedless(*graph, id, inputs[slot++]); });
        edit.replace(id, std::move(draft));
        edit.countPlaces(1);
        if (findings != nullptr)
            findings->push_back({{id}, ""});
    }
    return std::move(edit).finish();
}

} // namespace lapidary
