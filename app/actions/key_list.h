// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

class QWidget;

namespace lapidary {

// Shows every key of the tables of actions, by menu, in a modeless window.
void showKeyList(QWidget* window, ActionTables tables);

} // namespace lapidary
