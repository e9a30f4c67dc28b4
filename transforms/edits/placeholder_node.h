// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "transforms/pass/parameters.h"

#include <string>

namespace lapidary {

// Returns the dtype of an output of a node, references as what they refer to; Invalid where the op
// or its attributes do not say.
DType dtypeOfOutput(const Graph& graph, NodeId id, std::int32_t port);

// Makes a Placeholder of this dtype and of unknown shape. The parameters `type` and `shape`, where
// they are given, take precedence. Error: the dtype is Invalid and `type` is not given.
Result<NodeDraft> placeholderFor(const std::string& name, DType dtype,
                                 const Parameters& parameters);

} // namespace lapidary
