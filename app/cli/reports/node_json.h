// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "graph_model/tensor/tensor.h"

namespace lapidary {

// Returns everything known of one node, in the form that `show --json` prints. A constant's
// statistics may take a while; the only error is a cancelled job.
Result<Json> nodeJson(const Graph& graph, NodeId id, const Job& job);

// Returns type, shape, statistics and the first values; the only error is a cancelled job.
Result<Json> tensorJson(const Tensor& tensor, const Job& job);

// Return the same for people, one fact per line.
std::string nodeFactsText(const Json& facts);
std::string tensorFactsText(const Json& tensor);

} // namespace lapidary
