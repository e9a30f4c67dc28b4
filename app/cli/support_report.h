// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "graph_model/targets/kernel_message.h"
#include "transforms/support/remedies.h"

#include <string>

namespace lapidary {

struct SupportAnswer {
    const Target* target = nullptr;
    std::string file;
    SupportReport report;
    RemedyPlan plan;
    bool hasInterface = false; // the second answer is for inputs and outputs, not for everything
    bool isConverter() const { return target->kind == Target::Kind::Converter; }
};

void printSupport(const Graph& graph, const SupportAnswer& answer, Console& console);
Json supportJson(const Graph& graph, const SupportAnswer& answer);

// What a message of another program is about: the nodes of the graph that it means.
struct MessageAnswer {
    KernelMessage message;
    std::vector<NodeId> nodes;
    std::vector<std::string> targets; // whose kernels are those that the message lists
};
MessageAnswer explainMessage(const Graph& graph, KernelMessage message, const OpSupport& table);
void printMessage(const Graph& graph, const MessageAnswer& answer, const OpSupport& table,
                  const Target* target, Console& console);
Json messageJson(const Graph& graph, const MessageAnswer& answer, const OpSupport& table,
                 const Target* target);

} // namespace lapidary
