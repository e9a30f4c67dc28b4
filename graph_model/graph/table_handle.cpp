// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/table_handle.h"

#include "graph_model/ops/op_traits.h"

namespace lapidary {

NodeId tableOf(const Graph& graph, Endpoint handle)
{
    for (std::size_t steps = 0; handle.node.isValid() && steps < graph.size(); ++steps) {
        const std::string_view op = graph.node(handle.node).op();
        if (isTable(op))
            return handle.node;
        if (!copiesInput(op) || graph.inputs(handle.node).empty())
            return {};
        handle = graph.inputs(handle.node)[0];
    }
    return {};
}

} // namespace lapidary
