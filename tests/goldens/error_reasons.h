// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// The nodes that a recorded message names: "{{node NAME}}", in front of it "[[CALLER]]", and others
// in words ("for 'y' (op: ...").
std::vector<std::string> recordedNodes(const nlohmann::json& error);

// As a whole word: "x" is not named by "max".
bool saysName(std::string_view text, std::string_view name);

// Returns the part of a recorded error that our message leaves out: one of the nodes that it names,
// or the reason. reasons.tsv lists our words for each reason of the original. Empty: nothing.
std::string reasonFault(const nlohmann::json& error, const std::string& ours);

} // namespace lapidary::goldens
