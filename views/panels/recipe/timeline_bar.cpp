// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/timeline_bar.h"

#include "views/panels/base/theme_of.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int barHeight = 60;
constexpr int cardHeight = 42;
constexpr int gap = 16; // distance to the previous card, which the line crosses
constexpr int padding = 9;
constexpr int betweenTexts = 9;

QFont smaller(QFont font)
{
    font.setPointSizeF(font.pointSizeF() * 0.9);
    return font;
}

int gapBefore(const QModelIndex& index)
{
    return index.row() == 0 ? 12 : gap;
}

QColor toneColor(const Theme& theme, TimelineEntry::Tone tone)
{
    switch (tone) {
    case TimelineEntry::Tone::Good: return theme[Role::Good];
    case TimelineEntry::Tone::Warning: return theme[Role::Warning];
    case TimelineEntry::Tone::Problem: return theme[Role::Problem];
    case TimelineEntry::Tone::Muted: break;
    }
    return theme[Role::TextMuted];
}

} // namespace

QSize TimelineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QFontMetrics metrics(option.font);
    const QFontMetrics small(smaller(option.font));
    const QString verdict = index.data(TimelineModel::VerdictRole).toString();
    const int first = metrics.horizontalAdvance(index.data().toString()) +
                      (verdict.isEmpty() ? 0 : betweenTexts + small.horizontalAdvance(verdict));
    const int second = small.horizontalAdvance(index.data(TimelineModel::FactsRole).toString());
    return {gapBefore(index) + 2 * padding + std::max({first, second, 80}) + 2, barHeight};
}

void TimelineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const bool isShown = index.data(TimelineModel::ShownRole).toBool();
    const bool isGhost = index.data(TimelineModel::GhostRole).toBool();
    const bool isFocused = (option.state & QStyle::State_HasFocus) != 0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QRectF card = QRectF(option.rect).adjusted(gapBefore(index), 0, -1, 0);
    card.setHeight(cardHeight);
    card.moveTop(option.rect.top() + (barHeight - cardHeight) / 2.0);
    if (index.row() > 0) {
        painter->setPen(QPen(theme[Role::GroupLine], 1));
        painter->drawLine(QPointF(option.rect.left(), card.center().y()),
                          QPointF(card.left(), card.center().y()));
    }
    const QColor line = isShown || isFocused ? theme[Role::Accent] : theme[Role::GroupLine];
    painter->setPen(QPen(line, isShown ? 2 : 1, isGhost ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush((option.state & QStyle::State_MouseOver) ? theme[Role::Hover]
                                                               : theme[Role::Surface]);
    painter->drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const QRectF inside = card.adjusted(padding, 5, -padding, -5);
    const QRectF first(inside.left(), inside.top(), inside.width(), inside.height() / 2);
    const QRectF second = first.translated(0, inside.height() / 2);
    painter->setPen(isGhost ? theme[Role::TextMuted] : theme[Role::Text]);
    painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
    painter->setFont(smaller(option.font));
    const auto tone = TimelineEntry::Tone(index.data(TimelineModel::ToneRole).toInt());
    painter->setPen(toneColor(theme, tone));
    painter->drawText(first, Qt::AlignVCenter | Qt::AlignRight,
                      index.data(TimelineModel::VerdictRole).toString());
    painter->setPen(theme[Role::TextMuted]);
    painter->drawText(second, Qt::AlignVCenter | Qt::AlignLeft,
                      index.data(TimelineModel::FactsRole).toString());
    painter->restore();
}

TimelineBar::TimelineBar(QWidget* parent)
    : QWidget(parent)
    , m_model(new TimelineModel(this))
    , m_list(new QListView(this))
    , m_branch(new QToolButton(this))
    , m_row(new QHBoxLayout(this))
{
    setObjectName(u"timelineBar"_s);
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(barHeight);
    m_list->setObjectName(u"timeline"_s);
    m_list->setAccessibleName(u"Timeline of states"_s);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new TimelineDelegate(m_list));
    m_list->setFlow(QListView::LeftToRight);
    m_list->setWrapping(false);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->installEventFilter(this);
    m_list->viewport()->installEventFilter(this);
    m_branch->setObjectName(u"branchChoice"_s);
    m_branch->setAccessibleName(u"Branch"_s);
    m_branch->setToolTip(u"Go to another branch of the recipe"_s);
    m_branch->setPopupMode(QToolButton::InstantPopup);
    m_branch->setMenu(new QMenu(m_branch));
    m_branch->hide();
    m_row->setContentsMargins(0, 0, 12, 0);
    m_row->setSpacing(8);
    m_row->addWidget(m_list, 1);
    m_row->addWidget(m_branch);
    connect(m_list, &QListView::clicked, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
}

void TimelineBar::setEntries(std::vector<TimelineEntry> entries, int shown)
{
    m_model->setEntries(std::move(entries), shown);
    m_list->doItemsLayout();
    if (shown < 0)
        return;
    m_list->setCurrentIndex(m_model->index(shown));
    m_list->scrollTo(m_model->index(std::min(shown + 1, m_model->rowCount() - 1)));
    m_list->scrollTo(m_model->index(shown));
}

void TimelineBar::setBranches(const QStringList& names, int current)
{
    m_branch->setVisible(names.size() > 1);
    m_branch->setText(names.value(current));
    m_branch->menu()->clear();
    for (qsizetype i = 0; i < names.size(); ++i) {
        QAction* action = m_branch->menu()->addAction(names[i]);
        action->setCheckable(true);
        action->setChecked(i == current);
        connect(action, &QAction::triggered, this, [this, i] { emit branchChosen(int(i)); });
    }
}

void TimelineBar::addWidget(QWidget* widget)
{
    m_row->addWidget(widget);
}

bool TimelineBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && watched == m_list)
        return chooseByKey(static_cast<QKeyEvent*>(event)->key());
    if (event->type() == QEvent::ContextMenu) {
        const auto* asked = static_cast<QContextMenuEvent*>(event);
        const bool isByKey = asked->reason() == QContextMenuEvent::Keyboard;
        const QModelIndex index = isByKey ? m_list->currentIndex() : m_list->indexAt(asked->pos());
        if (index.isValid())
            showMenu(index.row(),
                     isByKey ? m_list->viewport()->mapToGlobal(m_list->visualRect(index).center())
                             : asked->globalPos());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TimelineBar::showMenu(int entry, QPoint globalPosition)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* show = menu->addAction(u"Show this state"_s);
    QAction* compare = menu->addAction(u"Compare with the state shown"_s);
    QAction* add = menu->addAction(u"Add to the comparison"_s);
    for (QAction* action : {show, compare})
        action->setEnabled(entry != m_model->shown());
    add->setEnabled(m_canAdd && m_canAdd(entry));
    // Opening the menu makes a card current, as a click does; this restores the shown one.
    connect(menu, &QMenu::aboutToHide, m_list,
            [this] { m_list->setCurrentIndex(m_model->index(std::max(m_model->shown(), 0))); });
    connect(show, &QAction::triggered, this, [this, entry] { emit chosen(entry); });
    connect(compare, &QAction::triggered, this, [this, entry] { emit compareRequested(entry); });
    connect(add, &QAction::triggered, this, [this, entry] { emit addRequested(entry); });
    menu->popup(globalPosition);
}

bool TimelineBar::chooseByKey(int key)
{
    int entry = m_model->shown();
    switch (key) {
    case Qt::Key_Left: --entry; break;
    case Qt::Key_Right: ++entry; break;
    case Qt::Key_Home: entry = 0; break;
    case Qt::Key_End: entry = m_model->rowCount() - 1; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: entry = m_list->currentIndex().row(); break;
    default: return false;
    }
    if (entry >= 0 && entry < m_model->rowCount())
        emit chosen(entry);
    return true;
}

} // namespace lapidary
