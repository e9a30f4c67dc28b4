// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

// Step to the next problem of the graph, or to the next difference from another one, wrapping
// around.
bool hasProblems(const ActionContext& context);
void stepProblem(const ActionContext& context, int by);
bool hasDifferences(const ActionContext& context);
void stepDifference(const ActionContext& context, int by);

} // namespace lapidary
