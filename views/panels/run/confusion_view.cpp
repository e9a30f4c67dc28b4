// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/confusion_view.h"

#include "views/models/run/confusion_model.h"
#include "views/panels/base/theme_of.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// The sides of a cell: if all classes fit at the least size, they share the available space; else
// as many are shown as fit at the usual size.
struct Side {
    int least;
    int usual;
    int most;
};
constexpr Side cellWidth{24, 40, 56}; // for two digits; for three, or the beginning of a name
constexpr Side cellHeight{14, 24, 24};
constexpr int lowCell = 20;       // below this, the digits are smaller
constexpr int smallestText = 10;  // pixels
constexpr double faintest = 0.12; // for a cell with one picture
constexpr double strongest = 0.5; // text on it is still readable

int sideFor(int room, const Side& side)
{
    return room >= side.least ? std::min(room, side.most) : side.usual;
}

QFont fontFor(const QFont& usual, int height)
{
    QFont font = usual;
    if (height < lowCell)
        font.setPixelSize(std::max(height - 4, smallestText));
    return font;
}

// Returns as many letters as fit into the width.
QString beginning(QString text, const QFontMetrics& metrics, int room)
{
    while (!text.isEmpty() && metrics.horizontalAdvance(text) > room)
        text.chop(1);
    return text;
}

// The names of the classes. Their cells are smaller than other headers allow; the tips show the
// whole names.
class ConfusionNames : public QHeaderView {
public:
    ConfusionNames(Qt::Orientation orientation, QWidget* parent)
        : QHeaderView(orientation, parent)
    {
        setSectionsClickable(false);
        setHighlightSections(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int place) const override
    {
        const QString name = model()->headerData(place, orientation(), Qt::DisplayRole).toString();
        const bool isRow = orientation() == Qt::Vertical;
        const QFont letters = isRow ? fontFor(font(), rect.height()) : font();
        const QFontMetrics metrics(letters);
        const QRect room = rect.adjusted(isRow ? 8 : 3, 0, -4, 0); // with a gap to the next one
        painter->setFont(letters);
        painter->setPen(themeOf(*this)[Role::TextMuted]);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          isRow ? metrics.elidedText(name, Qt::ElideMiddle, room.width())
                                : beginning(name, metrics, room.width()));
    }
};

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
        painter->setFont(fontFor(option.font, option.rect.height()));
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
    setHorizontalHeader(new ConfusionNames(Qt::Horizontal, this));
    setVerticalHeader(new ConfusionNames(Qt::Vertical, this));
    horizontalHeader()->setMinimumSectionSize(cellWidth.least);
    horizontalHeader()->setFixedHeight(fontMetrics().height() + 6);
    verticalHeader()->setMinimumSectionSize(cellHeight.least);
    connect(this, &QTableView::clicked, this, &ConfusionView::cellChosen);
    connect(this, &QTableView::activated, this, &ConfusionView::cellChosen);
    connect(&model, &QAbstractItemModel::modelReset, this, &ConfusionView::fit);
}

int ConfusionView::usualWidth() const
{
    return verticalHeader()->sizeHint().width() + model()->columnCount() * cellWidth.usual +
           2 * frameWidth();
}

// Fits the cells to the view. The size is that of a view without scroll bars, which are not needed
// if all classes fit.
void ConfusionView::fit()
{
    const int classes = std::max(model()->rowCount(), 1);
    const QSize room = maximumViewportSize();
    const int height = sideFor(room.height() / classes, cellHeight);
    horizontalHeader()->setDefaultSectionSize(sideFor(room.width() / classes, cellWidth));
    verticalHeader()->setDefaultSectionSize(height);
}

void ConfusionView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

} // namespace lapidary
