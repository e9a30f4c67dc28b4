// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "runner/node_data/data_table.h"

namespace lapidary {

// Returns the scope number of each group, by GroupId; NaN if no node inside has a number.
std::vector<double> scopeNumbers(const DataTable& table, std::size_t column, const ScopeTree& tree);
// Returns colors for every node and scope with a number: logarithmic if the numbers span more than
// two decades, two-sided if some are below zero. `preparation`: of the table's graph.
ColorClasses dataColors(const DataTable& table, std::size_t column, const Preparation& preparation);

} // namespace lapidary
