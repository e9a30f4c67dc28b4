// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

// Conditions that several actions need, for `ActionSpec::isEnabled`.
bool hasTab(const ActionContext& context);
bool hasGraph(const ActionContext& context);
bool hasScene(const ActionContext& context); // and it is of the graph that is shown
bool hasSelection(const ActionContext& context);
bool hasNodeSelected(const ActionContext& context); // a node has the focus
bool hasGroupSelected(const ActionContext& context);
bool hasHits(const ActionContext& context); // of the search

} // namespace lapidary
