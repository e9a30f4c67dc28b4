// SPDX-License-Identifier: Apache-2.0
#include "views/panels/data/node_data_panel.h"

#include "views/models/data/data_text.h"
#include "views/models/data/node_data_model.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/sorted_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

NodeDataPanel::NodeDataPanel(QWidget* parent)
    : HeadedPanel(u"nodeData"_s, u"Node data"_s, parent)
    , m_model(new NodeDataModel(this))
    , m_table(addTable(u"Node data"_s, *m_model, NodeDataModel::SortRole))
{
    buildHead();
    m_table->horizontalHeader()->setResizeContentsPrecision(100);
    connect(m_table, &SortedTable::rowChosen, this, [this](int row) {
        if (const NodeId node = m_model->node(row); row >= 0 && node.isValid())
            emit nodeSelected(node);
    });
}

void NodeDataPanel::buildHead()
{
    head().wrapRemark();
    m_columns = head().addChoice(u"nodeDataColumn"_s, u"Numbers that color the picture"_s);
    m_columns->setMinimumContentsLength(14);
    m_columns->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scopes = head().addChoice(u"nodeDataScopes"_s, u"What the box of a scope shows"_s);
    m_scopes->setToolTip(u"How the box of a scope combines the numbers inside"_s);
    m_scopes->addItems(
        {u"Scopes: largest"_s, u"Scopes: smallest"_s, u"Scopes: sum"_s, u"Scopes: mean"_s});
    head()
        .addButton(u"nodeDataOpen"_s, u"Open\u2026"_s,
                   u"Reads numbers of nodes from a CSV or JSON file"_s, "data.open")
        ->setAccessibleName(u"Open node data"_s);
    m_remove = head().addButton(u"nodeDataRemove"_s, u"Remove"_s,
                                u"Removes the chosen numbers of a file"_s, "data.remove");
    connect(m_columns, &QComboBox::activated, this, [this](int at) { emit columnChosen(at - 1); });
    connect(m_scopes, &QComboBox::activated, this,
            [this](int at) { emit scopeNumberChosen(ScopeNumber(at)); });
}

void NodeDataPanel::setTable(const DataTablePtr& table, std::optional<std::size_t> shown)
{
    const auto columns = m_model->columnCount();
    {
        const QSignalBlocker blocker(m_table);
        m_model->setTable(table);
    }
    if (m_model->columnCount() != columns)
        fitColumns();
    // Nobody looks for the last name of the alphabet: what costs the most comes first.
    if (columns <= NodeDataModel::FirstNumber && m_model->columnCount() > columns && !shown)
        m_table->sortByColumn(NodeDataModel::FirstNumber, Qt::DescendingOrder);
    bringForward(shown);
    fillChoices(shown);
}

// Moves the column that colors the picture next to the names, and sorts by its largest numbers.
void NodeDataPanel::bringForward(std::optional<std::size_t> shown)
{
    const int column = shown ? NodeDataModel::FirstNumber + int(*shown) : -1;
    const bool isNews = column != m_forward;
    m_forward = column;
    if (column < 0)
        return;
    QHeaderView& header = *m_table->horizontalHeader();
    header.moveSection(header.visualIndex(column), NodeDataModel::FirstNumber);
    if (isNews)
        m_table->sortByColumn(column, Qt::DescendingOrder);
}

void NodeDataPanel::fitColumns()
{
    constexpr int leastNameWidth = 160;
    constexpr int mostOpWidth = 132; // the numbers are more important
    for (int column = 0; column < m_model->columnCount(); ++column)
        if (column != NodeDataModel::NodeColumn)
            m_table->resizeColumnToContents(column);
    m_table->setColumnWidth(NodeDataModel::OpColumn,
                            std::min(m_table->columnWidth(NodeDataModel::OpColumn), mostOpWidth));
    m_table->giveRestTo(NodeDataModel::NodeColumn, leastNameWidth);
}

void NodeDataPanel::fillChoices(std::optional<std::size_t> shown)
{
    const QSignalBlocker columns(m_columns);
    m_columns->clear();
    m_columns->addItem(u"No color"_s);
    if (const DataTablePtr& table = m_model->table())
        for (const DataTable::Column& column : table->columns())
            m_columns->addItem(dataTitle(column));
    m_columns->setCurrentIndex(shown ? int(*shown) + 1 : 0);
    const QSignalBlocker scopes(m_scopes);
    setObstacle(*m_scopes, shown ? QString() : u"Choose numbers that color the picture first"_s);
    if (shown)
        m_scopes->setCurrentIndex(int(m_model->table()->columns()[*shown].ofScope));
}

void NodeDataPanel::setCanRemove(bool canRemove)
{
    setObstacle(*m_remove, canRemove ? QString() : u"Choose numbers of a file first"_s);
}

void NodeDataPanel::setSelected(NodeId node)
{
    m_table->showRow(m_model->rowOf(node));
}

} // namespace lapidary
