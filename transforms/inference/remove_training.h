// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <set>
#include <string>

namespace lapidary {

using NodeNames = std::set<std::string, std::less<>>;

// CheckNumerics and Identity nodes, with the reason where one stays.
Result<Findings> findTrainingNodes(const GraphPtr& graph, const NodeNames& kept, const Job& job);

// Takes out CheckNumerics, whose readers read what it checked, and Identity nodes that nothing is
// ordered by. Nodes that wait for a check wait for what it waited for.
Result<EditResult> removeTrainingNodes(const GraphPtr& graph, const NodeNames& kept,
                                       const Job& job);

} // namespace lapidary
