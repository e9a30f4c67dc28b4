// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QMainWindow;
class QToolBar;

namespace lapidary {

// Adds a row to the window, below those that were added before. The user cannot move it.
QToolBar* plainToolBar(QMainWindow* window, const QString& name, const QString& title);

} // namespace lapidary
