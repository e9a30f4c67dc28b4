// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/one_line_label.h"

#include "views/models/list_name.h"

#include <QPainter>

namespace lapidary {

OneLineLabel::OneLineLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setProperty("muted", true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void OneLineLabel::paintEvent(QPaintEvent* event)
{
    if (wordWrap())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Normal : QPalette::Disabled, foregroundRole()));
    const QRect room = contentsRect();
    const QString name = shortenedPath(text(), [&](const QString& shorter) {
        return fontMetrics().horizontalAdvance(shorter) <= room.width();
    });
    painter.drawText(room, int(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(name, Qt::ElideRight, room.width()));
}

} // namespace lapidary
