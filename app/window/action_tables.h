// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

#include <span>
#include <string_view>

namespace lapidary {

// Returns all tables in the order in which they fill the menus. Each table is beside the code of
// its actions.
ActionTables actionTables();
// Returns the IDs of the toolbar's actions, which are at most eight.
std::span<const std::string_view> toolbarActions();
// Returns the IDs of the actions in the canvas's context menu; an empty one is a separator.
std::span<const std::string_view> contextMenuActions();

} // namespace lapidary
