// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStyledItemDelegate>

namespace lapidary {

// Returns the text, elided to fit the width: names keep their last parts (see shortenedPath()), and
// a text that is still too long is elided in the middle.
QString elidedName(const QString& text, const QFontMetrics& metrics, int width,
                   const QStringList& neighbors = {});

// Draws the cells of a table. Names are elided so that they differ from those above and below.
class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace lapidary
