// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

class QWidget;

namespace lapidary {

class MainWindow;

// Checks one `expect` command: Done if it holds, else an error with the actual state.
//   selected NAME            the selection is this node or scope ("nothing": there is none)
//   visible-nodes OP N       boxes of nodes and groups; OP is one of < <= = >= >
//   hits OP N                of the search
//   problems N               in the list
//   enabled ID, disabled ID  of the table of actions
//   open SCOPE, closed SCOPE
//   visible NAME             the node or scope has a box of its own
//   tabs N
//   text WIDGET STRING       the widget, or a row of it, holds the text
Status checkExpectation(MainWindow& window, const std::vector<std::string>& words);

// Returns a widget by its object name, accessible name, or, for buttons, text; null if there is
// none. Visible ones are preferred.
QWidget* findNamedWidget(QWidget& window, const std::string& name);

} // namespace lapidary
