// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/table_tabs.h"

#include "app/window/docks/table_page.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr const char* groupProperty = "tableGroup";
constexpr int closeButtonSize = 24;

struct GroupTitle {
    QString text;
    QString tip;
};

const std::array<GroupTitle, 4>& groupTitles()
{
    static const std::array<GroupTitle, 4> titles{{
        {u"Graph"_s, u"Ops, problems and notes"_s},
        {u"Recipe"_s, u"Findings of steps, and differences"_s},
        {u"Run"_s, u"Feeds, and the resulting values and errors"_s},
        {u"Measured"_s, u"Times, costs and targets"_s},
    }};
    return titles;
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
    row->setContentsMargins(8, 2, 4, 2);
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
    setCornerWidget(buildClose(), Qt::TopRightCorner);
    connect(buttons, &QButtonGroup::idClicked, this, [this](int id) { choose(TableGroup(id)); });
    connect(this, &QTabWidget::currentChanged, this, &TableTabs::showGroupOf);
}

QWidget* TableTabs::buildClose()
{
    auto* corner = new QWidget(this);
    corner->setObjectName(u"tableGroups"_s);
    auto* close = new QToolButton(corner);
    close->setObjectName(u"panelClose"_s);
    close->setText(u"\u00D7"_s);
    close->setAutoRaise(true);
    close->setFixedSize(closeButtonSize, closeButtonSize);
    close->setAccessibleName(u"Close the tables"_s);
    close->setToolTip(u"Close the tables (F6 brings them back)"_s);
    connect(close, &QToolButton::clicked, this, &TableTabs::closeRequested);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 2, 4, 2);
    row->addWidget(close);
    return corner;
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
    auto* page = new TablePage(table, title);
    page->setProperty(groupProperty, int(group));
    insertTab(at, page, title);
    setTabToolTip(at, tip);
    showGroupOf(currentIndex());
}

void TableTabs::removeTable(const QWidget* table)
{
    const int tab = tabOf(table);
    if (table == nullptr || tab < 0)
        return;
    QWidget* page = widget(tab);
    removeTab(tab);
    page->deleteLater();
}

TablePage* TableTabs::pageAt(int tab) const
{
    return static_cast<TablePage*>(widget(tab));
}

int TableTabs::tabOf(const QWidget* table) const
{
    for (int i = 0; i < count(); ++i)
        if (pageAt(i)->table() == table)
            return i;
    return -1;
}

void TableTabs::showTable(const QWidget* table)
{
    const int tab = tabOf(table);
    if (tab < 0)
        return;
    pageAt(tab)->place();
    setCurrentIndex(tab);
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
    // Must be first: hiding the current tab makes the widget switch to one that is visible.
    setTabVisible(tab, true);
    for (int i = 0; i < count(); ++i)
        setTabVisible(i, groupOf(i) == group);
}

// Shows the table of the group that was shown last, or its first one.
void TableTabs::choose(TableGroup group)
{
    if (QWidget* last = m_last[std::size_t(group)])
        return setCurrentWidget(last);
    for (int i = 0; i < count(); ++i)
        if (groupOf(i) == group)
            return setCurrentIndex(i);
}

} // namespace lapidary
