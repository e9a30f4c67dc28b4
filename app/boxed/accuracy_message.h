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
// The files and folders that are read.
std::vector<std::string> filesOf(const ProbePlan& plan);

Message messageOf(const Sensitivity& found);
Sensitivity sensitivityOf(const Message& message);

Message messageOf(const AutopilotTask& task);
AutopilotTask autopilotTaskOf(const Message& message, MemoryPool& pool);
std::vector<std::string> filesOf(const AutopilotTask& task);

// Leaves out the files of points, whose recipes make them again.
Message messageOf(const AutopilotPoint& point);
AutopilotPoint autopilotPointOf(const Message& message); // no recipe: the text was none
Message messageOf(const Autopilot& found);
// Returns an empty result if the message names files that do not exist, or one without a recipe.
Autopilot autopilotOf(const Message& message);

// A message as a word of a line of text.
std::string wordOf(const Message& message);
// Decodes a word to bytes for decodeMessage(); nothing if the word is not that of a message.
std::optional<std::string> bytesOfWord(std::string_view word);

} // namespace lapidary
