// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cstddef>

namespace lapidary::goldens {

// Returns the number of nodes that call a function.
inline std::size_t callsIn(const Graph& graph)
{
    return std::size_t(std::ranges::count_if(graph.nodes(), [&](const NodePtr& node) {
        return callKind(node->op()) != CallKind::None ||
               (graph.functions() != nullptr && graph.functions()->find(node->op()));
    }));
}

} // namespace lapidary::goldens
