// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_sums.h"
#include "views/models/profile/profile_text.h"

#include <QAbstractTableModel>

#include <vector>

namespace lapidary {

// benchmark_model's table by node: a row for each measured node, in the order of execution.
class ProfileNodeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        OrderColumn,
        NodeColumn,
        OpColumn,
        TimeColumn,
        SpreadColumn,
        ShareColumn,
        SumColumn, // sum of the shares of this node and all slower ones
        CallsColumn,
        RateColumn,
        OutputColumn,
        MemoryColumn,
        // Shown only if a run on this machine is compared:
        HereColumn,
        SlownessColumn, // its share of the time there, as a multiple of its share here
        ColumnCount
    };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    // Null: no rows. `here`: a run of the same graph on this machine, or null.
    void setSums(ProfileSumsPtr sums, ProfileSumsPtr here = nullptr);
    NodeId node(int row) const;   // invalid if it matches no node of the graph
    int rowOf(NodeId node) const; // -1 if the node was not measured

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const ProfiledNode& node, std::size_t row, int column) const;
    QVariant sortKey(const ProfiledNode& node, std::size_t row, int column) const;
    double meanOf(const ProfiledNode& node) const; // nanoseconds per run
    double largestTime() const;
    double hereOf(std::size_t row) const;     // nanoseconds per run of the run on this machine;
                                              // negative: not measured
    double slownessOf(std::size_t row) const; // negative: not known

    ProfileSumsPtr m_sums;
    ProfileSumsPtr m_here;
    std::vector<double> m_cumulative; // sums of shares, by row
    lapidary::TimeColumn m_times = timeColumn(0);
};

} // namespace lapidary
