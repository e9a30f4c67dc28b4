// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/feed_delegate.h"

#include "views/models/run/feed_model.h"
#include "views/panels/base/theme_of.h"

#include <QPainter>

namespace lapidary {

void FeedDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const QString second = m_areTwo ? index.data(FeedModel::SecondLineRole).toString() : QString();
    if (second.isEmpty())
        return NameDelegate::paint(painter, option, index);
    constexpr int margin = 3;
    const Theme& theme = themeOf(*option.widget);
    const bool isSelected = option.state & QStyle::State_Selected;
    const bool isWrong = index.data(FeedModel::WrongRole).toBool();
    if (isSelected)
        painter->fillRect(option.rect, theme[Role::Selection]);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme[Role::Hover]);
    const QRect room = option.rect.adjusted(margin, 2, -margin, -2);
    const QRect above(room.left(), room.top(), room.width(), room.height() / 2);
    const QRect below(room.left(), above.bottom() + 1, room.width(), room.height() / 2);
    painter->save();
    painter->setPen(theme[isSelected ? Role::SelectionText : Role::Text]);
    painter->drawText(above, Qt::AlignVCenter,
                      elidedName(index.data().toString(), option.fontMetrics, room.width()));
    painter->setPen(theme[isSelected ? Role::SelectionText
                          : isWrong  ? Role::Problem
                                     : Role::TextMuted]);
    painter->drawText(below, Qt::AlignVCenter,
                      option.fontMetrics.elidedText(second, Qt::ElideRight, room.width()));
    painter->restore();
}

} // namespace lapidary
