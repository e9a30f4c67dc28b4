// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/node_data/data_table.h"

#include <QAbstractTableModel>

namespace lapidary {

// A table of node data: a row for each node, a column for each kind of number.
class NodeDataModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NodeColumn, OpColumn, FirstNumber };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(DataTablePtr table); // null: no rows
    const DataTablePtr& table() const { return m_table; }
    NodeId node(int row) const;   // invalid if no node has this name
    int rowOf(NodeId node) const; // -1 if the node has no number

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const DataTable::Row& row, int column) const;
    QVariant numberData(const QModelIndex& index, int role) const;

    DataTablePtr m_table;
};

} // namespace lapidary
