// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "runner/node_data/data_table.h"

namespace lapidary {

// Returns the number of a group of each kind, by its id; NaN where no node inside has one.
std::vector<double> scopeNumbers(const DataTable& table, std::size_t column, const ScopeTree& tree);
// Colors of every node and scope with a number: logarithmic where the numbers span more than two
// decades, two-sided where some are below zero. `preparation`: of the table's graph.
ColorClasses dataColors(const DataTable& table, std::size_t column, const Preparation& preparation);

} // namespace lapidary
