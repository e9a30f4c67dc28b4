// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/row_mark.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QRect>

namespace lapidary {

bool togglesMark(const QEvent& event, const QRect& row, int markSpace)
{
    if (event.type() == QEvent::MouseButtonRelease) {
        const auto& mouse = static_cast<const QMouseEvent&>(event);
        return mouse.button() == Qt::LeftButton && mouse.position().x() < row.left() + markSpace;
    }
    return event.type() == QEvent::KeyPress &&
           static_cast<const QKeyEvent&>(event).key() == Qt::Key_Space;
}

} // namespace lapidary
