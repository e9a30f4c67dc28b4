// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "runner/values/memory_pool.h"
#include "transforms/accuracy/autopilot_task.h"
#include "transforms/accuracy/sensitivity.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

Message messageOf(const ProbePlan& plan);
ProbePlan probePlanOf(const Message& message, MemoryPool& pool);
// Returns the files and folders that are read.
std::vector<std::string> filesOf(const ProbePlan& plan);

Message messageOf(const Sensitivity& found);
Sensitivity sensitivityOf(const Message& message);

Message messageOf(const AutopilotTask& task);
AutopilotTask autopilotTaskOf(const Message& message, MemoryPool& pool);
std::vector<std::string> filesOf(const AutopilotTask& task);

// Encodes a point without its file, which its recipe makes again.
Message messageOf(const AutopilotPoint& point);
// Returns a point without a recipe if its text cannot be parsed.
AutopilotPoint autopilotPointOf(const Message& message);
Message messageOf(const Autopilot& found);
// Returns an empty result if the message names files that do not exist, or a file without a recipe.
Autopilot autopilotOf(const Message& message);

// Returns a message as one word for a line of text.
std::string wordOf(const Message& message);
// Decodes a word to bytes for decodeMessage(); none if the word does not encode a message.
std::optional<std::string> bytesOfWord(std::string_view word);

} // namespace lapidary
