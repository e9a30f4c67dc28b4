// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/table_tabs.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr const char* groupProperty = "tableGroup";

struct GroupTitle {
    QString text;
    QString tip;
};

const std::array<GroupTitle, 4>& groupTitles()
{
    static const std::array<GroupTitle, 4> titles{{
        {u"Graph"_s, u"Ops, problems and notes"_s},
        {u"Recipe"_s, u"What steps find and what differs"_s},
        {u"Run"_s, u"What is fed, and the values and errors that come of it"_s},
        {u"Measured"_s, u"Times, costs and targets"_s},
    }};
    return titles;
}

// Forms scroll where the tables are low, as the rows of tables do: the picture keeps its room.
QWidget* pageFor(QWidget* table, const QString& title)
{
    if (qobject_cast<QAbstractItemView*>(table) != nullptr)
        return table;
    auto* page = new QScrollArea;
    page->setAccessibleName(title);
    page->setFrameShape(QFrame::NoFrame);
    page->setFocusPolicy(Qt::NoFocus);
    page->setWidgetResizable(true);
    page->setWidget(table);
    table->setAutoFillBackground(false);
    page->viewport()->setAutoFillBackground(false);
    return page;
}

} // namespace

TableTabs::TableTabs(QWidget* parent)
    : QTabWidget(parent)
{
    setObjectName(u"tableDock"_s);
    setDocumentMode(true);
    auto* corner = new QWidget(this);
    corner->setObjectName(u"tableGroups"_s);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(8, 2, 12, 2);
    row->setSpacing(2);
    auto* buttons = new QButtonGroup(corner);
    for (std::size_t i = 0; i < groupCount; ++i) {
        auto* button = new QToolButton(corner);
        button->setObjectName(u"tableGroup%1"_s.arg(i));
        button->setText(groupTitles()[i].text);
        button->setToolTip(groupTitles()[i].tip);
        button->setAccessibleName(u"Tables: "_s + groupTitles()[i].text);
        button->setCheckable(true);
        button->setProperty("tableGroup", true);
        buttons->addButton(button, int(i));
        row->addWidget(button);
        m_switch[i] = button;
    }
    setCornerWidget(corner, Qt::TopLeftCorner);
    connect(buttons, &QButtonGroup::idClicked, this, [this](int id) { choose(TableGroup(id)); });
    connect(this, &QTabWidget::currentChanged, this, &TableTabs::showGroupOf);
}

TableGroup TableTabs::groupOf(int tab) const
{
    return TableGroup(widget(tab)->property(groupProperty).toInt());
}

void TableTabs::addTable(QWidget* table, TableGroup group, const QString& title, const QString& tip)
{
    int at = 0;
    while (at < count() && groupOf(at) <= group)
        ++at;
    QWidget* page = pageFor(table, title);
    page->setProperty(groupProperty, int(group));
    insertTab(at, page, title);
    setTabToolTip(at, tip);
    showGroupOf(currentIndex());
}

int TableTabs::tabOf(const QWidget* table) const
{
    while (table != nullptr && indexOf(table) < 0)
        table = table->parentWidget();
    return indexOf(table);
}

void TableTabs::showTable(const QWidget* table)
{
    setCurrentIndex(tabOf(table));
}

bool TableTabs::isCurrent(const QWidget* table) const
{
    return currentIndex() == tabOf(table);
}

void TableTabs::showGroupOf(int tab)
{
    if (tab < 0)
        return;
    const TableGroup group = groupOf(tab);
    m_last[std::size_t(group)] = widget(tab);
    m_switch[std::size_t(group)]->setChecked(true);
    // First, as the widget goes to the tab that is shown while the current one is hidden.
    setTabVisible(tab, true);
    for (int i = 0; i < count(); ++i)
        setTabVisible(i, groupOf(i) == group);
}

// The table of the group that was shown last, or its first one.
void TableTabs::choose(TableGroup group)
{
    if (QWidget* last = m_last[std::size_t(group)])
        return setCurrentWidget(last);
    for (int i = 0; i < count(); ++i)
        if (groupOf(i) == group)
            return setCurrentIndex(i);
}

} // namespace lapidary
