// SPDX-License-Identifier: Apache-2.0
#include "views/panels/data/node_data_panel.h"

#include "views/models/data/data_text.h"
#include "views/models/data/node_data_model.h"
#include "views/panels/run/panel_head.h"
#include "views/panels/table_panels.h"

#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

NodeDataPanel::NodeDataPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new NodeDataModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(u"nodeDataPanel"_s);
    setAccessibleName(u"Node data"_s);
    setAttribute(Qt::WA_StyledBackground);
    buildHead();
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const NodeId node = m_model->node(m_sorted->mapToSource(current).row());
                if (!m_isFollowing && current.isValid() && node.isValid())
                    emit nodeSelected(node);
            });
}

void NodeDataPanel::buildHead()
{
    m_head = new PanelHead(u"nodeDataRemark"_s, this);
    connect(m_head, &PanelHead::actionRequested, this, &NodeDataPanel::actionRequested);
    m_columns = new QComboBox(m_head);
    m_columns->setObjectName(u"nodeDataColumn"_s);
    m_columns->setAccessibleName(u"Numbers that color the picture"_s);
    m_columns->setToolTip(u"Numbers that color the picture"_s);
    m_columns->setMinimumContentsLength(14);
    m_columns->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scopes = new QComboBox(m_head);
    m_scopes->setObjectName(u"nodeDataScopes"_s);
    m_scopes->setAccessibleName(u"What the box of a scope shows"_s);
    m_scopes->setToolTip(u"What the box of a scope shows of the numbers inside"_s);
    m_scopes->addItems(
        {u"Scopes: largest"_s, u"Scopes: smallest"_s, u"Scopes: sum"_s, u"Scopes: mean"_s});
    m_head->add(m_columns);
    m_head->add(m_scopes);
    m_head
        ->addButton(u"nodeDataOpen"_s, u"Open\u2026"_s,
                    u"Reads numbers of nodes from a CSV or JSON file"_s, "data.open")
        ->setAccessibleName(u"Open node data"_s);
    m_remove = m_head->addButton(u"nodeDataRemove"_s, u"Remove"_s,
                                 u"Takes the chosen numbers of a file away"_s, "data.remove");
    connect(m_columns, &QComboBox::activated, this, [this](int at) { emit columnChosen(at - 1); });
    connect(m_scopes, &QComboBox::activated, this,
            [this](int at) { emit scopeNumberChosen(ScopeNumber(at)); });
}

void NodeDataPanel::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(NodeDataModel::SortRole);
    m_table = new PanelTable(u"Node data"_s, this);
    m_table->setObjectName(u"nodeDataTable"_s);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setResizeContentsPrecision(100);
}

void NodeDataPanel::setTable(const DataTablePtr& table, std::optional<std::size_t> shown)
{
    const auto columns = m_model->columnCount();
    m_isFollowing = true;
    m_model->setTable(table);
    m_isFollowing = false;
    if (m_model->columnCount() != columns)
        fitColumns();
    bringForward(shown);
    fillChoices(shown);
}

// What colors the picture stands beside the names, and its largest numbers first.
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
    constexpr int indicator = 20; // width of the arrow in the sorted column
    for (int column = 0; column < m_model->columnCount(); ++column) {
        m_table->resizeColumnToContents(column);
        m_table->setColumnWidth(column, m_table->columnWidth(column) + indicator);
    }
    m_table->setColumnWidth(NodeDataModel::NodeColumn, 260);
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
    m_scopes->setEnabled(shown.has_value());
    if (shown)
        m_scopes->setCurrentIndex(int(m_model->table()->columns()[*shown].ofScope));
}

void NodeDataPanel::setCanRemove(bool canRemove)
{
    m_remove->setEnabled(canRemove);
}

void NodeDataPanel::setRemark(const QString& text, bool isProblem)
{
    m_head->setRemark(text, isProblem);
}

void NodeDataPanel::setSelected(NodeId node)
{
    const int row = m_model->rowOf(node);
    const QModelIndex index =
        row < 0 ? QModelIndex() : m_sorted->mapFromSource(m_model->index(row, 0));
    m_isFollowing = true;
    if (index.isValid()) {
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
    } else {
        m_table->clearSelection();
    }
    m_isFollowing = false;
}

} // namespace lapidary
