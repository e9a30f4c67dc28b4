// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// Returns the nodes that a recorded message names: "{{node NAME}}", "[[CALLER]]" before it, and
// others in the text ("for 'y' (op: ...").
std::vector<std::string> recordedNodes(const nlohmann::json& error);

// Compares whole words: "max" does not name the node "x".
bool saysName(std::string_view text, std::string_view name);

// Returns the part of a recorded error that our message leaves out: one of the nodes that it names,
// or the reason. reasons.tsv lists our words for each reason of the original. Returns an empty text
// if nothing is left out.
std::string reasonFault(const nlohmann::json& error, const std::string& ours);

} // namespace lapidary::goldens
