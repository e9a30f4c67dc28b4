// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "transforms/support/explain_message.h"
#include "transforms/support/remedies.h"

#include <string>

namespace lapidary {

struct SupportAnswer {
    const Target* target = nullptr;
    std::string file;
    SupportReport report;
    RemedyPlan plan;
    bool hasInterface = false; // the second count is for the part between inputs and outputs
    bool isConverter() const { return target->kind == Target::Kind::Converter; }
};

void printSupport(const Graph& graph, const SupportAnswer& answer, Console& console);
Json supportJson(const Graph& graph, const SupportAnswer& answer);

void printMessage(const Graph& graph, const MessageAnswer& answer, const OpSupport& table,
                  const Target* target, Console& console);
Json messageJson(const Graph& graph, const MessageAnswer& answer, const OpSupport& table,
                 const Target* target);

} // namespace lapidary
