// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/carried_tensors.h"

#include "graph_model/ops/op_traits.h"

namespace lapidary {

bool carriesOn(std::string_view op)
{
    return controlFlow(op) != ControlFlow::None || copiesInput(op);
}

std::vector<std::size_t> slotsReading(const Graph& graph, NodeId reader, const Endpoint& tensor)
{
    std::vector<std::size_t> slots;
    const auto inputs = graph.inputs(reader);
    for (std::size_t slot = 0; slot < inputs.size(); ++slot)
        if (inputs[slot] == tensor)
            slots.push_back(slot);
    return slots;
}

std::vector<Endpoint> carriedTo(const Graph& graph, NodeId reader, std::size_t slot)
{
    const std::string_view op = graph.node(reader).op();
    if (isSwitch(op))
        return slot == 0 ? std::vector<Endpoint>{{reader, 0}, {reader, 1}}
                         : std::vector<Endpoint>();
    const bool isChosen = isSelect(op) && slot > 0;
    if (isChosen || (carriesOn(op) && !isLoopCond(op)))
        return {{reader, 0}};
    return {};
}

} // namespace lapidary
