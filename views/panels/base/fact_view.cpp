// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/fact_view.h"

#include "views/models/list_name.h"
#include "views/panels/base/theme_of.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int factRowHeight = 24;
constexpr int headingHeight = 30;
constexpr int padding = 12;

// Tells whether the value also takes the width of the key.
bool startsAtLeft(const QModelIndex& index)
{
    return !index.data(FactModel::HasKeysRole).toBool();
}

// Shortens a name. If its beginning only repeats the scope of the selected node, its end is kept.
QString shortName(const Fact& fact, const QFontMetrics& metrics, int width)
{
    ListName name;
    qsizetype at = 0;
    for (const QString& part : fact.value.split(u'/')) {
        at += part.size() + 1;
        name.push_back(
            {part, at <= fact.common ? ListNamePart::Worth::Common : ListNamePart::Worth::Varies});
    }
    return shortened(name,
                     [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; });
}

// Tells whether a click at this index follows the link of the row.
bool isLinkPlace(const QModelIndex& index)
{
    return index.data(FactModel::IsLinkRole).toBool() &&
           (index.column() != FactModel::KeyColumn || startsAtLeft(index));
}

class FactDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool isHeading = index.data(FactModel::IsHeadingRole).toBool();
        const QString text = index.data(Qt::DisplayRole).toString();
        return {option.fontMetrics.horizontalAdvance(text) + padding + 8,
                isHeading ? headingHeight : factRowHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(*option.widget);
        const bool isHeading = index.data(FactModel::IsHeadingRole).toBool();
        const bool isDetail = index.column() == FactModel::DetailColumn;
        const bool hasDetail =
            !index.siblingAtColumn(FactModel::DetailColumn).data().toString().isEmpty();
        if (isDetail && !hasDetail && !isHeading)
            return; // the value has the full width
        QStyleOptionViewItem cell = option;
        if (index.column() == FactModel::ValueColumn && startsAtLeft(index))
            cell.rect.setLeft(0);
        // The value gets the space that the detail leaves; the detail is drawn over its end.
        const int end = static_cast<const QTreeView*>(option.widget)->viewport()->width();
        const int detail = hasDetail && !isHeading ? detailWidth(option, index) : 0;
        if (index.column() == FactModel::ValueColumn && !isHeading)
            cell.rect.setRight(std::max(cell.rect.right(), end - padding - detail));
        if (isDetail && hasDetail && !isHeading)
            cell.rect.setLeft(std::max(cell.rect.left(), end - padding - detail));
        if (option.state & QStyle::State_Selected)
            painter->fillRect(cell.rect, theme[Role::Selection]);
        else if (option.state & QStyle::State_MouseOver && !isHeading)
            painter->fillRect(cell.rect, theme[Role::Hover]);
        isHeading ? paintHeading(painter, cell, index, theme)
                  : paintCell(painter, cell, index, theme);
    }

private:
    // Returns the width with the gap before it.
    static int detailWidth(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        constexpr int gap = 8;
        return gap + option.fontMetrics.horizontalAdvance(
                         index.siblingAtColumn(FactModel::DetailColumn).data().toString());
    }
    static void paintHeading(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index, const Theme& theme)
    {
        if (index.row() > 0) {
            painter->setPen(theme[Role::Line]);
            painter->drawLine(option.rect.topLeft(), option.rect.topRight());
        }
        QFont font = option.font;
        font.setWeight(QFont::DemiBold);
        painter->setFont(font);
        painter->setPen(theme[Role::Text]);
        const QRect box = option.rect.adjusted(padding, 0, -padding, 0);
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
        painter->setFont(option.font);
        painter->setPen(theme[Role::TextMuted]);
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignRight,
                          index.siblingAtColumn(FactModel::DetailColumn).data().toString());
    }

    static void paintCell(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index, const Theme& theme)
    {
        const Fact* fact = static_cast<const FactModel*>(index.model())->fact(index);
        const bool isValue = index.column() == FactModel::ValueColumn;
        const auto kind = fact != nullptr ? fact->link.kind : FactLink::Kind::None;
        const bool isRequest = kind == FactLink::Kind::ShowAlone || kind == FactLink::Kind::Ungroup;
        const bool isLink = index.column() == FactModel::DetailColumn
                                ? isRequest
                                : isValue && kind != FactLink::Kind::None && !isRequest;
        const bool isSelected = option.state & QStyle::State_Selected;
        painter->setPen(isSelected ? theme[Role::SelectionText]
                        : isLink   ? theme[Role::Accent]
                        : isValue  ? theme[Role::Text]
                                   : theme[Role::TextMuted]);
        const bool isDetail = index.column() == FactModel::DetailColumn;
        const int left = index.column() == FactModel::KeyColumn || (isValue && startsAtLeft(index))
                             ? padding
                             : 4;
        const QRect box = option.rect.adjusted(left, 0, isDetail ? -padding : -4, 0);
        const QString text = isValue && fact != nullptr && fact->common > 0
                                 ? shortName(*fact, option.fontMetrics, box.width())
                                 : option.fontMetrics.elidedText(index.data().toString(),
                                                                 Qt::ElideMiddle, box.width());
        painter->drawText(box,
                          int(isDetail ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter |
                              Qt::TextSingleLine,
                          text);
    }
};

} // namespace

FactView::FactView(QWidget* parent)
    : QTreeView(parent)
    , m_model(new FactModel(this))
{
    setModel(m_model);
    setItemDelegate(new FactDelegate(this));
    setObjectName(u"facts"_s);
    setAccessibleName(u"Facts"_s);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(true);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(8);
    header()->setSectionResizeMode(FactModel::KeyColumn, QHeaderView::Fixed);
    header()->setSectionResizeMode(FactModel::ValueColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(FactModel::DetailColumn, QHeaderView::Fixed);
}

void FactView::setSections(FactSections sections)
{
    m_model->setSections(std::move(sections));
    for (int row = 0; row < m_model->rowCount(); ++row)
        setFirstColumnSpanned(row, {}, true);
    expandAll();
    fitColumns();
}

void FactView::fitColumns()
{
    int key = 0;
    int detail = 0;
    const QFontMetrics metrics = fontMetrics();
    for (const FactSection& section : m_model->sections()) {
        const std::size_t count = std::min<std::size_t>(section.facts.size(), 60);
        for (std::size_t i = 0; i < count; ++i) {
            key = std::max(key, metrics.horizontalAdvance(section.facts[i].key));
            detail = std::max(detail, metrics.horizontalAdvance(section.facts[i].detail));
        }
    }
    const int width = viewport()->width();
    header()->resizeSection(FactModel::KeyColumn,
                            key == 0 ? padding - 4 : std::min(key + padding + 8, width * 38 / 100));
    header()->resizeSection(FactModel::DetailColumn,
                            detail == 0 ? padding : std::min(detail + padding + 6, width * 2 / 5));
}

void FactView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    fitColumns();
}

void FactView::follow(const QModelIndex& index)
{
    const Fact* fact = m_model->fact(index);
    if (fact == nullptr || fact->link.kind == FactLink::Kind::None)
        return;
    const FactLink link = fact->link; // the slot may replace the facts
    emit linkActivated(link);
}

void FactView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copySelected();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        follow(currentIndex());
    else
        QTreeView::keyPressEvent(event);
}

void FactView::mouseMoveEvent(QMouseEvent* event)
{
    QTreeView::mouseMoveEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    viewport()->setCursor(isLinkPlace(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FactView::mouseReleaseEvent(QMouseEvent* event)
{
    QTreeView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier &&
        index == currentIndex() && isLinkPlace(index))
        follow(index);
}

void FactView::copySelected()
{
    QStringList lines;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        lines.append(m_model->rowText(index));
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

void FactView::contextMenuEvent(QContextMenuEvent* event)
{
    const QModelIndex index = indexAt(event->pos());
    if (!index.isValid())
        return;
    QMenu menu(this);
    const Fact* fact = m_model->fact(index);
    if (fact != nullptr)
        menu.addAction(u"Copy value"_s, this,
                       [value = fact->value] { QApplication::clipboard()->setText(value); });
    menu.addAction(u"Copy row"_s, this,
                   [text = m_model->rowText(index)] { QApplication::clipboard()->setText(text); });
    menu.exec(event->globalPos());
}

} // namespace lapidary
