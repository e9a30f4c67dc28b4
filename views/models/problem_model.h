// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace lapidary {

using ProblemsPtr = std::shared_ptr<const Problems>; // never null

// The problems of a file and its graph, worst first.
class ProblemModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SeverityColumn, NodeColumn, MessageColumn, PlaceColumn, KindColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setProblems(ProblemsPtr problems); // does nothing for the list that is already set
    const Problem& problem(int row) const { return (*m_problems)[m_rows[std::size_t(row)]]; }
    const Problems& problems() const { return *m_problems; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ProblemsPtr m_problems = std::make_shared<Problems>();
    std::vector<std::uint32_t> m_rows; // indices in the list
};

// Returns "2 errors, 15 remarks": warnings and notes are remarks; empty without any.
QString problemCounts(const Problems& problems);
// Returns "byte 1 234" or "line 3, column 7"; empty if the problem has no position.
QString problemPlace(const Problem& problem);

} // namespace lapidary
