// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/node_data/node_data.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

inline constexpr std::size_t mostDataColumns = 100;

// Returns a finite number; nothing for other texts. With `hasDecimalComma`, "1,5" is accepted.
std::optional<double> numberIn(std::string_view text, bool hasDecimalComma = false);
// Tells whether a column of this title holds the names of nodes.
bool isNameTitle(std::string_view title);
// Returns name and unit of "latency [ms]" or "latency (ms)".
NodeData titledData(std::string_view title);

// Returns columns of a CSV text. Lines count from 1; errors begin with "line 7: ".
Result<std::vector<NodeData>> parseCsvData(std::string_view text, const std::string& title,
                                           const Job& job);
// Returns what a JSON text holds. `title` names data without a name.
Result<std::vector<NodeData>> parseJsonData(std::string_view text, const std::string& title);

} // namespace lapidary
