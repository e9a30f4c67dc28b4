// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_registry.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

struct OpCount {
    std::string op;
    OpFamily family = OpFamily::Unknown;
    std::int64_t nodes = 0;
    bool isKnown = true;
};
// Returns the ops of a graph with their counts, the most frequent first, then by name.
std::vector<OpCount> countOps(const Graph& graph);

// The table of ops below the canvas. Its check boxes show or hide all nodes of an op.
class OpTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { OpColumn, FamilyColumn, CountColumn, ColumnCount };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setOps(std::vector<OpCount> ops);
    void setHiddenOps(const QStringList& ops);
    QString op(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void hideOpRequested(const QString& op, bool isHidden);

private:
    std::vector<OpCount> m_ops;
    QStringList m_hidden;
};

} // namespace lapidary
