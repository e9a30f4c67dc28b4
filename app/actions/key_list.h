// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace lapidary {

class ActionSet;

// Every key of the table of actions, by menu, in a window that need not be answered.
void showKeyList(QWidget* window, const ActionSet& actions);

} // namespace lapidary
