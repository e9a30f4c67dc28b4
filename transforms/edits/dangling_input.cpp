// SPDX-License-Identifier: Apache-2.0
#include "transforms/edits/dangling_input.h"

namespace lapidary {

std::string danglingInput(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    for (std::size_t k = 0; k < inputs.size(); ++k)
        if (!inputs[k].node.isValid())
            return std::string(graph.node(id).name()) + ": its input " +
                   std::string(graph.node(id).inputs()[k].text) + " does not exist";
    return "";
}

std::string danglingInput(const Graph& graph)
{
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (std::string fault = danglingInput(graph, NodeId{i}); !fault.empty())
            return fault;
    return "";
}

} // namespace lapidary
