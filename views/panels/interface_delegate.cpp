// SPDX-License-Identifier: Apache-2.0
#include "views/panels/interface_delegate.h"

#include "views/models/interface_model.h"
#include "views/panels/base/row_mark.h"
#include "views/panels/base/theme_of.h"

#include <QAbstractItemView>
#include <QPainter>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lineHeight = 20;
constexpr int markSpace = 30;

InterfaceModel::RowKind kindOf(const QModelIndex& index)
{
    return InterfaceModel::RowKind(index.data(InterfaceModel::KindRole).toInt());
}

// Draws the mark. Its shape repeats the meaning of its color: a filled disc with an arrow in or
// out, or a ring if the tensor is only possible.
void paintMark(QPainter* painter, const QRect& row, const QModelIndex& index, const Theme& theme)
{
    const bool isInput = index.data(InterfaceModel::SideRole).toInt() == 0;
    const QColor color = theme.family(isInput ? OpFamily::Input : OpFamily::Output).outline;
    const QRectF disc(row.left() + 12, row.top() + 8, 10, 10);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.5));
    painter->setBrush(index.data(InterfaceModel::ChosenRole).toBool() ? QBrush(color)
                                                                      : QBrush(Qt::NoBrush));
    const QPointF c = disc.center();
    const double r = 5;
    const double way = isInput ? 1 : -1; // a triangle pointing into or out of the graph
    painter->drawPolygon(QPolygonF({c + QPointF(-r, -r * 0.8 * way), c + QPointF(r, -r * 0.8 * way),
                                    c + QPointF(0, r * way)}));
}

// Returns shape and reason, which are drawn below the name.
QString reasonText(const QModelIndex& index)
{
    const QString shape = index.data(InterfaceModel::ShapeRole).toString();
    const QString reason = index.data(InterfaceModel::ReasonRole).toString();
    return shape + (reason.isEmpty() ? QString() : u" \u00B7 "_s) + reason;
}

// Returns the height of the whole reason, wrapped at this width.
int reasonHeight(const QFontMetrics& metrics, int width, const QModelIndex& index)
{
    const QRect room(0, 0, std::max(width, 80), QWIDGETSIZE_MAX);
    return std::max(lineHeight,
                    metrics.boundingRect(room, Qt::TextWordWrap, reasonText(index)).height() + 4);
}

} // namespace

QSize InterfaceDelegate::sizeHint(const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const
{
    if (kindOf(index) != InterfaceModel::RowKind::Tensor)
        return {option.rect.width(), 28};
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int width = view != nullptr ? view->viewport()->width() : option.rect.width();
    const QFontMetrics metrics(option.font);
    return {option.rect.width(),
            lineHeight + reasonHeight(metrics, width - markSpace - 12, index) + 8};
}

void InterfaceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const QFontMetrics metrics(option.font);
    const bool isSelected = option.state & QStyle::State_Selected;
    if (isSelected)
        painter->fillRect(option.rect, theme[Role::Selection]);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme[Role::Hover]);
    painter->save();
    const QColor text = isSelected ? theme[Role::SelectionText] : theme[Role::Text];
    const QColor muted = isSelected ? theme[Role::SelectionText] : theme[Role::TextMuted];
    const auto kind = kindOf(index);
    QRect box = option.rect.adjusted(12, 0, -12, 0);
    if (kind != InterfaceModel::RowKind::Tensor) {
        QFont font = option.font;
        font.setWeight(kind == InterfaceModel::RowKind::Heading ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(kind == InterfaceModel::RowKind::Heading ? text : muted);
        QString title = index.data().toString();
        if (kind == InterfaceModel::RowKind::More)
            title += option.state & QStyle::State_Open ? u" \u25BE"_s : u" \u25B8"_s;
        painter->drawText(box, Qt::AlignVCenter, title);
        painter->setFont(option.font);
        painter->setPen(muted);
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignRight,
                          index.data(InterfaceModel::ReasonRole).toString());
        painter->restore();
        return;
    }
    paintMark(painter, option.rect, index, theme);
    box = option.rect.adjusted(markSpace, 4, -12, -4);
    const QRect first(box.left(), box.top(), box.width(), lineHeight);
    const QRect second(box.left(), first.bottom() + 1, box.width(), box.height() - lineHeight);
    const QString dtype = index.data(InterfaceModel::DTypeRole).toString();
    const int dtypeWidth = metrics.horizontalAdvance(dtype);
    painter->setPen(muted);
    painter->drawText(first, Qt::AlignVCenter | Qt::AlignRight, dtype);
    painter->drawText(second, Qt::AlignVCenter | Qt::TextWordWrap, reasonText(index));
    QFont font = option.font;
    font.setWeight(index.data(InterfaceModel::ChosenRole).toBool() ? QFont::DemiBold
                                                                   : QFont::Normal);
    painter->setFont(font);
    painter->setPen(text);
    const QFontMetrics bold(font);
    painter->drawText(
        first, Qt::AlignVCenter,
        bold.elidedText(index.data().toString(), Qt::ElideMiddle, first.width() - dtypeWidth - 10));
    painter->restore();
}

bool InterfaceDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (kindOf(index) != InterfaceModel::RowKind::Tensor)
        return false;
    if (!togglesMark(*event, option.rect, markSpace))
        return false;
    const bool isChosen = index.data(InterfaceModel::ChosenRole).toBool();
    return model->setData(index, isChosen ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

} // namespace lapidary
