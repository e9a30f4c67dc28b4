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

// Returns the finite number that a text is; nothing for other texts. With `hasDecimalComma`, "1,5"
// is accepted.
std::optional<double> numberIn(std::string_view text, bool hasDecimalComma = false);
// Returns whether a column with this title holds the names of nodes.
bool isNameTitle(std::string_view title);
// Returns data without numbers, with the name and unit of "latency [ms]" or "latency (ms)".
NodeData titledData(std::string_view title);

// Returns the columns of a CSV text; `title` is the name of data without one. Errors begin with
// "line 7: "; lines count from 1.
Result<std::vector<NodeData>> parseCsvData(std::string_view text, const std::string& title,
                                           const Job& job);
// Returns the data of a JSON text; `title` is the name of data without one.
Result<std::vector<NodeData>> parseJsonData(std::string_view text, const std::string& title);

} // namespace lapidary
