// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/recipe_delegate.h"

#include "views/models/recipe/pass_list_model.h"
#include "views/models/recipe/recipe_model.h"
#include "views/panels/base/row_mark.h"
#include "views/panels/base/theme_of.h"

#include <QAbstractItemView>
#include <QPainter>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowHeight = 26;
constexpr int markSpace = 32;
constexpr int side = 12;
constexpr int topOfPass = 5;

RecipeRow::Status statusOf(const QModelIndex& index)
{
    return RecipeRow::Status(index.data(RecipeModel::StatusRole).toInt());
}

int wrappedHeight(const QFontMetrics& metrics, int width, const QString& text)
{
    const QRect room(0, 0, std::max(width, 80), QWIDGETSIZE_MAX);
    return metrics.boundingRect(room, Qt::TextWordWrap, text).height();
}

int viewWidth(const QStyleOptionViewItem& option)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    return view != nullptr ? view->viewport()->width() : option.rect.width();
}

// Draws the mark. Its shape repeats the meaning of its color: a tick, a ring, a cross, a dash.
void paintMark(QPainter* painter, const QRect& row, RecipeRow::Status status, const Theme& theme)
{
    const QPointF c(row.left() + 18, row.top() + rowHeight / 2.0);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    switch (status) {
    case RecipeRow::Status::Applied:
        painter->setPen(QPen(theme[Role::Good], 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPolyline(
            QPolygonF({c + QPointF(-4.5, 0.5), c + QPointF(-1.5, 3.5), c + QPointF(4.5, -3.5)}));
        break;
    case RecipeRow::Status::Pending:
        painter->setPen(QPen(theme[Role::TextMuted], 1.4));
        painter->drawEllipse(c, 4.5, 4.5);
        break;
    case RecipeRow::Status::Waiting:
        painter->setPen(QPen(theme[Role::Accent], 1.8, Qt::SolidLine, Qt::RoundCap));
        painter->drawArc(QRectF(c.x() - 4.5, c.y() - 4.5, 9, 9), 16 * 90, -16 * 260);
        break;
    case RecipeRow::Status::Failed:
        painter->setPen(QPen(theme[Role::Problem], 1.8, Qt::SolidLine, Qt::RoundCap));
        painter->drawLine(c + QPointF(-3.5, -3.5), c + QPointF(3.5, 3.5));
        painter->drawLine(c + QPointF(-3.5, 3.5), c + QPointF(3.5, -3.5));
        break;
    case RecipeRow::Status::Blocked:
    case RecipeRow::Status::Off:
        painter->setPen(QPen(theme[Role::TextMuted], 1.6, Qt::SolidLine, Qt::RoundCap));
        painter->drawLine(c + QPointF(-4, 0), c + QPointF(4, 0));
        break;
    }
}

void paintBackground(QPainter* painter, const QStyleOptionViewItem& option, const Theme& theme)
{
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, theme[Role::Selection]);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme[Role::Hover]);
}

} // namespace

QSize RecipeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QString note = index.data(RecipeModel::NoteRole).toString();
    const int height = note.isEmpty() ? 0
                                      : wrappedHeight(QFontMetrics(option.font),
                                                      viewWidth(option) - markSpace - side, note) +
                                            5;
    return {viewWidth(option), rowHeight + height};
}

void RecipeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const bool isSelected = option.state & QStyle::State_Selected;
    const RecipeRow::Status status = statusOf(index);
    const bool isQuiet = status == RecipeRow::Status::Off || status == RecipeRow::Status::Blocked;
    const QColor muted = isSelected ? theme[Role::SelectionText] : theme[Role::TextMuted];
    const QColor text = isSelected ? theme[Role::SelectionText]
                        : isQuiet  ? theme[Role::TextMuted]
                                   : theme[Role::Text];
    painter->save();
    paintBackground(painter, option, theme);
    paintMark(painter, option.rect, status, theme);
    const QRect line(option.rect.left() + markSpace, option.rect.top(),
                     option.rect.width() - markSpace - side, rowHeight);
    const QFontMetrics metrics(option.font);
    const QString count = index.data(RecipeModel::CountRole).toString();
    painter->setPen(muted);
    painter->drawText(line, Qt::AlignVCenter | Qt::AlignRight, count);
    QFont font = option.font;
    font.setWeight(isSelected ? QFont::DemiBold : QFont::Normal);
    font.setStrikeOut(status == RecipeRow::Status::Off);
    painter->setFont(font);
    painter->setPen(text);
    const QFontMetrics bold(font);
    const int room = line.width() - (count.isEmpty() ? 0 : metrics.horizontalAdvance(count) + 10);
    const QString name = bold.elidedText(index.data().toString(), Qt::ElideMiddle, room);
    painter->drawText(line, Qt::AlignVCenter, name);
    const int used = bold.horizontalAdvance(name) + 8;
    painter->setFont(option.font);
    painter->setPen(muted);
    if (room - used > 40)
        painter->drawText(line.adjusted(used, 0, 0, 0), Qt::AlignVCenter,
                          metrics.elidedText(index.data(RecipeModel::ArgumentsRole).toString(),
                                             Qt::ElideRight, room - used));
    if (index.data(RecipeModel::ProblemRole).toBool() && !isSelected)
        painter->setPen(theme[Role::Problem]);
    const QRect below(line.left(), line.bottom(), line.width(),
                      option.rect.bottom() - line.bottom());
    painter->drawText(below, Qt::TextWordWrap, index.data(RecipeModel::NoteRole).toString());
    painter->restore();
}

bool RecipeDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                 const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (!togglesMark(*event, option.rect, markSpace))
        return false;
    const bool isOn = statusOf(index) != RecipeRow::Status::Off;
    return model->setData(index, isOn ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

QSize PassDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QFontMetrics metrics(option.font);
    const QString summary = index.data(PassListModel::SummaryRole).toString();
    return {viewWidth(option), 2 * topOfPass + metrics.height() + 2 +
                                   wrappedHeight(metrics, viewWidth(option) - 2 * side, summary)};
}

void PassDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->save();
    paintBackground(painter, option, theme);
    const QRect box = option.rect.adjusted(side, topOfPass, -side, -topOfPass);
    const int first = QFontMetrics(option.font).height();
    painter->setPen(isSelected ? theme[Role::SelectionText] : theme[Role::Text]);
    painter->drawText(QRect(box.left(), box.top(), box.width(), first), Qt::AlignVCenter,
                      QFontMetrics(option.font)
                          .elidedText(index.data().toString(), Qt::ElideMiddle, box.width()));
    painter->setPen(isSelected ? theme[Role::SelectionText] : theme[Role::TextMuted]);
    painter->drawText(box.adjusted(0, first + 2, 0, 0), Qt::TextWordWrap,
                      index.data(PassListModel::SummaryRole).toString());
    painter->restore();
}

} // namespace lapidary
