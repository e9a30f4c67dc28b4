// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

#include <span>
#include <string_view>

namespace lapidary {

// The tables are beside their code; this only gives the order in which they fill the menus.
ActionTables actionTables();
// IDs of the toolbar, at most eight; before and after the search field.
std::span<const std::string_view> toolbarActions();
// Returns the actions of the menu that a right click opens; an empty one is a separator.
std::span<const std::string_view> contextMenuActions();

} // namespace lapidary
