// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "transforms/pass/parameters.h"

#include <string>

namespace lapidary {

// Returns the dtype of an output of a node, for a reference the dtype that it refers to; Invalid if
// the op and its attributes do not determine it.
DType dtypeOfOutput(const Graph& graph, NodeId id, std::int32_t port);

// Makes a Placeholder of this dtype and of unknown shape. The parameters `type` and `shape` take
// precedence if they are given. Error: the dtype is Invalid and `type` is not given.
Result<NodeDraft> placeholderFor(const std::string& name, DType dtype,
                                 const Parameters& parameters);

} // namespace lapidary
