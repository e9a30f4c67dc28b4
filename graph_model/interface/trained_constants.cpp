// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/trained_constants.h"

#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

namespace lapidary {

std::vector<NodeId> trainedConstants(const Graph& graph)
{
    std::vector<NodeId> trained;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const std::string_view op = graph.node(NodeId{i}).op();
        const auto inputs = graph.inputs(NodeId{i});
        const bool readsConstant = !inputs.empty() && inputs[0].node.isValid() &&
                                   isConstant(graph.node(inputs[0].node).op());
        if (!readsConstant || opEffect(op) != OpEffect::Train)
            continue;
        const OpSpec* spec = findOp(op);
        for (std::size_t k = 0; spec != nullptr && k < inputs.size(); ++k)
            if (k < spec->inputs.size() && spec->inputs[k].isReference &&
                inputs[k].node.isValid() && isConstant(graph.node(inputs[k].node).op()))
                trained.push_back(inputs[k].node);
    }
    return trained;
}

} // namespace lapidary
