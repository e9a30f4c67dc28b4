// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QMainWindow;
class QToolBar;

namespace lapidary {

// A row of the window that stays where it is, below those that were made before.
QToolBar* plainToolBar(QMainWindow* window, const QString& name, const QString& title);

} // namespace lapidary
