// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/node_data/data_table.h"

#include <QString>

#include <string_view>

namespace lapidary {

// Returns a number of a node for people: "12.5 ms", "7.72 GFLOP", "97.5 MB", "25.6 k".
QString dataText(double number, std::string_view unit);
// Formats a number for a table's cell. The unit is not repeated there: dataTitle() has
// it.
QString dataCell(double number, const DataTable::Column& column);
// Returns the title of a column: "latency, ms".
QString dataTitle(const DataTable::Column& column);
// Returns a summary of a column in one line: "times.csv: 120 of 529 nodes; 3 names are not in this
// graph: a, b, c".
QString dataSummary(const DataTable& table, std::size_t column);

} // namespace lapidary
