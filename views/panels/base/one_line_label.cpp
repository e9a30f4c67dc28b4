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

void OneLineLabel::wrapIntoTwo()
{
    setWordWrap(true);
    setFixedHeight(2 * fontMetrics().lineSpacing());
}

// Returns as much of the text as the lines of the label hold, with an ellipsis if that is not all.
QString OneLineLabel::wrapped(const QRect& room) const
{
    constexpr int flags = Qt::TextWordWrap;
    const auto fits = [&](const QString& shown) {
        return fontMetrics().boundingRect(room, flags, shown).height() <= room.height();
    };
    if (fits(text()))
        return text();
    qsizetype least = 0;
    qsizetype most = text().size();
    while (most - least > 1) {
        const qsizetype middle = (least + most) / 2;
        (fits(text().left(middle) + QChar(0x2026)) ? least : most) = middle;
    }
    return text().left(least).trimmed() + QChar(0x2026);
}

void OneLineLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Normal : QPalette::Disabled, foregroundRole()));
    const QRect room = contentsRect();
    if (wordWrap()) {
        painter.drawText(room, int(alignment()) | Qt::TextWordWrap, wrapped(room));
        return;
    }
    const QString name = shortenedPath(text(), [&](const QString& shorter) {
        return fontMetrics().horizontalAdvance(shorter) <= room.width();
    });
    painter.drawText(room, int(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(name, Qt::ElideRight, room.width()));
}

} // namespace lapidary
