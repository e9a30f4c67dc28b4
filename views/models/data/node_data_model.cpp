// SPDX-License-Identifier: Apache-2.0
#include "views/models/data/node_data_model.h"

#include "views/models/column_alignment.h"
#include "views/models/data/data_text.h"
#include "views/models/display_text.h"

#include <QBrush>
#include <QGuiApplication>
#include <QPalette>

#include <limits>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void NodeDataModel::setTable(DataTablePtr table)
{
    if (m_table == table)
        return;
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

NodeId NodeDataModel::node(int row) const
{
    return row >= 0 && row < rowCount() ? m_table->rows()[std::size_t(row)].node : NodeId{};
}

int NodeDataModel::rowOf(NodeId node) const
{
    const auto row = m_table ? m_table->rowOf(node) : std::nullopt;
    return row ? int(*row) : -1;
}

int NodeDataModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_table ? 0 : int(m_table->rows().size());
}

int NodeDataModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstNumber + (m_table ? int(m_table->columns().size()) : 0);
}

QString NodeDataModel::text(const DataTable::Row& row, int column) const
{
    if (column == NodeColumn)
        return plainText(row.name);
    return row.node.isValid() ? plainText(m_table->graph()->node(row.node).op()) : QString();
}

QVariant NodeDataModel::numberData(const QModelIndex& index, int role) const
{
    const auto column = std::size_t(index.column() - FirstNumber);
    const auto number = m_table->number(std::size_t(index.row()), column);
    const DataTable::Column& of = m_table->columns()[column];
    switch (role) {
    case Qt::DisplayRole: return number ? dataCell(*number, of) : QString();
    case Qt::AccessibleTextRole: return number ? dataText(*number, of.unit) : QString();
    case SortRole: // nodes without a number come last if large numbers come first
        return number.value_or(-std::numeric_limits<double>::infinity());
    case Qt::ToolTipRole:
        return number ? QString::number(*number, 'g', 17) + u' ' + plainText(of.unit) : QString();
    case Qt::TextAlignmentRole: return columnAlignment(true);
    default: return {};
    }
}

QVariant NodeDataModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_table)
        return {};
    const DataTable::Row& row = m_table->rows()[std::size_t(index.row())];
    if (role == Qt::ForegroundRole)
        return row.node.isValid()
                   ? QVariant()
                   : QBrush(QGuiApplication::palette().color(QPalette::PlaceholderText));
    if (index.column() >= FirstNumber)
        return numberData(index, role);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
    case SortRole: return text(row, index.column());
    case Qt::ToolTipRole:
        return row.node.isValid()
                   ? text(row, index.column())
                   : plainText(row.name) + u"\nno node of this graph has this name"_s;
    default: return {};
    }
}

QVariant NodeDataModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section < FirstNumber) {
        const bool isNode = section == NodeColumn;
        if (role == Qt::DisplayRole)
            return isNode ? u"Node"_s : u"Op"_s;
        return role == Qt::ToolTipRole ? QVariant(isNode ? u"Name of the node"_s : u"Type"_s)
                                       : QVariant();
    }
    const auto column = std::size_t(section - FirstNumber);
    if (role == Qt::DisplayRole)
        return dataTitle(m_table->columns()[column]);
    if (role == Qt::ToolTipRole)
        return dataSummary(*m_table, column);
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(true);
    return {};
}

} // namespace lapidary
