// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/targets/kernel_message.h"
#include "graph_model/targets/op_support.h"

#include <string>
#include <vector>

namespace lapidary {

// The nodes of the graph that a message of another program is about.
struct MessageAnswer {
    KernelMessage message;
    std::vector<NodeId> nodes;
    std::vector<std::string> targets; // targets whose kernels are those that the message lists
};
MessageAnswer explainMessage(const Graph& graph, KernelMessage message, const OpSupport& table);

// Returns "the program has no kernel for Slice".
std::string whatItSays(const KernelMessage& message);
// Returns the same in one line, with the types it names and the builds whose kernels it lists.
std::string explanationOf(const MessageAnswer& answer);

} // namespace lapidary
