// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

// Steps to the next item, wrapping around: problems of the graph, differences from another one.
bool hasProblems(const ActionContext& context);
void stepProblem(const ActionContext& context, int by);
bool hasDifferences(const ActionContext& context);
void stepDifference(const ActionContext& context, int by);

} // namespace lapidary
