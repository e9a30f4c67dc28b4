// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace lapidary {

// Disables a control and explains in its tip why, and what to do first; an empty reason enables it
// and restores its own tip. Other code must not change the tip of such a control.
void setObstacle(QWidget& control, const QString& why);

// The reason that was given last; empty where the control is enabled.
QString obstacleOf(const QWidget& control);

} // namespace lapidary
