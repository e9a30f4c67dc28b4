// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "graph_model/tensor/tensor.h"

namespace lapidary {

// Everything known of one node, in the form that `show --json` prints. A constant's statistics may
// take a while; an error only where the job was cancelled.
Result<Json> nodeJson(const Graph& graph, NodeId id, const Job& job);

// Returns type, shape, statistics and the first values; an error only where the job was cancelled.
Result<Json> tensorJson(const Tensor& tensor, const Job& job);

// Prints the same for people, one fact a line.
std::string nodeFactsText(const Json& facts);
std::string tensorFactsText(const Json& tensor);

} // namespace lapidary
