// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/obstacle.h"

#include <QVariant>
#include <QWidget>

namespace lapidary {

namespace {

constexpr const char* obstacleProperty = "obstacle";
constexpr const char* tipProperty = "ownTip"; // the control's own tip

} // namespace

void setObstacle(QWidget& control, const QString& why)
{
    if (!control.property(tipProperty).isValid())
        control.setProperty(tipProperty, control.toolTip());
    control.setProperty(obstacleProperty, why);
    control.setEnabled(why.isEmpty());
    control.setToolTip(why.isEmpty() ? control.property(tipProperty).toString() : why);
    control.setAccessibleDescription(why);
}

QString obstacleOf(const QWidget& control)
{
    return control.property(obstacleProperty).toString();
}

} // namespace lapidary
