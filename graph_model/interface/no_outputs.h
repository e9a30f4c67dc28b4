// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Returns the error for a graph without known outputs: `message` with the reason NoOutputs, or that
// the graph is empty, in which case naming outputs would not help.
inline Error noOutputs(const Graph& graph, std::string message)
{
    if (graph.size() == 0)
        return {ErrorCode::InvalidArgument, "the graph has no nodes"};
    return {ErrorCode::InvalidArgument, std::move(message), ErrorReason::NoOutputs};
}

} // namespace lapidary
