// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <QAbstractTableModel>

namespace lapidary {

// The nodes that a pass would rewrite, and those that it leaves unchanged, with the condition that
// does not hold. Near misses come first, since they need attention.
class FindingModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { KindColumn, NodeColumn, OpColumn, WhyColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    // The IDs in `findings` are those of `graph`.
    void setFindings(GraphPtr graph, const Findings& findings);
    const GraphPtr& graph() const { return m_graph; }
    NodeId node(int row) const { return m_findings[std::size_t(row)].nodes.front(); }
    bool isMatch(int row) const { return m_findings[std::size_t(row)].why.empty(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    GraphPtr m_graph;
    Findings m_findings;
};

} // namespace lapidary
