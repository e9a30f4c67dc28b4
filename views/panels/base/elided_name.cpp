// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/elided_name.h"

#include "views/models/list_name.h"

#include <QApplication>
#include <QStyle>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

QString elidedName(const QString& text, const QFontMetrics& metrics, int width,
                   const QStringList& neighbors)
{
    const auto fits = [&](const QString& shorter) {
        return metrics.horizontalAdvance(shorter) <= width;
    };
    const QString name = shortenedPath(text, fits, neighbors);
    // A part that was shortened before may be next to the new gap.
    return metrics.elidedText(name, Qt::ElideMiddle, width).replace(u"\u2026\u2026"_s, u"\u2026"_s);
}

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
    const int margin = 1 + style->pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget);
    QStringList neighbors;
    for (const int row : {index.row() - 1, index.row() + 1})
        if (const QModelIndex other = index.siblingAtRow(row); other.isValid())
            neighbors.append(other.data().toString());
    cell.text = elidedName(cell.text, cell.fontMetrics, cell.rect.width() - 2 * margin, neighbors);
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
}

} // namespace lapidary
