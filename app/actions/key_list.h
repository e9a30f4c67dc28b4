// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

class QWidget;

namespace lapidary {

// Every key of the tables of actions, by menu, in a window that need not be answered.
void showKeyList(QWidget* window, ActionTables tables);

} // namespace lapidary
