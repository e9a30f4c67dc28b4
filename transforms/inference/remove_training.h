// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <set>
#include <string>

namespace lapidary {

using NodeNames = std::set<std::string, std::less<>>;

// Finds CheckNumerics and Identity nodes, with the reason if one stays.
Result<Findings> findTrainingNodes(const GraphPtr& graph, const NodeNames& kept, const Job& job);

// Removes CheckNumerics, whose readers then read the checked tensor, and Identity nodes from which
// no control edge starts. Nodes that waited for a check wait for the nodes that it waited for.
Result<EditResult> removeTrainingNodes(const GraphPtr& graph, const NodeNames& kept,
                                       const Job& job);

} // namespace lapidary
