// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/confusion_view.h"

#include "views/models/run/confusion_model.h"
#include "views/panels/theme_of.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int cellWidth = 56;
constexpr int leastCellWidth = 40; // three digits, or the beginning of a name
constexpr int cellHeight = 24;
constexpr double faintest = 0.12; // of a cell with one picture
constexpr double strongest = 0.5; // text stays readable on it

class ConfusionCells : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(*option.widget);
        const QRect cell = option.rect.adjusted(1, 1, -1, -1);
        const double share = index.data(ConfusionModel::ShareRole).toDouble();
        QColor fill = index.data(ConfusionModel::IsRightRole).toBool() ? theme[Role::Accent]
                                                                       : theme[Role::Problem];
        fill.setAlphaF(float(share > 0 ? faintest + (strongest - faintest) * share : 0));
        painter->fillRect(cell, fill);
        painter->setPen(theme[Role::Text]);
        painter->drawText(cell, Qt::AlignCenter, index.data().toString());
        if (!option.state.testFlag(QStyle::State_Selected))
            return;
        painter->setPen(QPen(theme[Role::Accent], 2));
        painter->drawRect(cell.adjusted(1, 1, -1, -1));
    }
};

} // namespace

ConfusionView::ConfusionView(ConfusionModel& model, QWidget* parent)
    : QTableView(parent)
{
    setObjectName(u"confusionTable"_s);
    setAccessibleName(u"Classes and the answers to them"_s);
    setModel(&model);
    setItemDelegate(new ConfusionCells(this));
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    horizontalHeader()->setDefaultSectionSize(cellWidth);
    horizontalHeader()->setMinimumSectionSize(leastCellWidth);
    horizontalHeader()->setTextElideMode(Qt::ElideRight);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setStyleSheet(u"QHeaderView::section { padding: 4px 2px; }"_s);
    verticalHeader()->setDefaultSectionSize(cellHeight);
    verticalHeader()->setMinimumSectionSize(cellHeight);
    // Rows are lower than the padding of other headers allows.
    verticalHeader()->setStyleSheet(u"QHeaderView::section { padding: 0 8px; border: none; }"_s);
    connect(this, &QTableView::clicked, this, &ConfusionView::cellChosen);
    connect(this, &QTableView::activated, this, &ConfusionView::cellChosen);
    connect(&model, &QAbstractItemModel::modelReset, this, &ConfusionView::fitColumns);
}

// As many classes as the room allows; the whole names are the tips of the titles.
void ConfusionView::fitColumns()
{
    const int room = viewport()->width() / std::max(model()->columnCount(), 1);
    horizontalHeader()->setDefaultSectionSize(std::clamp(room, leastCellWidth, cellWidth));
}

void ConfusionView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

} // namespace lapidary
