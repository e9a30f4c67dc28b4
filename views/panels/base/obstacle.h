// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace lapidary {

// Disables a control and shows the reason, and what to do first, in its tip; an empty reason
// enables it and restores its own tip. Other code must not change the tip of such a control.
void setObstacle(QWidget& control, const QString& why);

// Returns the reason that was set last; empty if the control is enabled.
QString obstacleOf(const QWidget& control);

} // namespace lapidary
