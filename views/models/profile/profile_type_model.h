// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_sums.h"
#include "views/models/profile/profile_text.h"

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace lapidary {

// benchmark_model's table by op type, longest first.
class ProfileTypeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        OpColumn,
        NodesColumn,
        TimeColumn,
        ShareColumn,
        SumColumn,
        FlopsColumn,
        MemoryColumn,
        CallsColumn,
        ColumnCount
    };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setProfile(NodeProfilePtr profile); // null: no rows
    QString op(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::string op;
        ProfileSum sum;
        std::int64_t calls = 0;
        double cumulative = 0; // sum of the shares of this row and all rows above
    };
    QString text(const Row& row, int column) const;

    NodeProfilePtr m_profile;
    std::vector<Row> m_rows;
    lapidary::TimeColumn m_times = timeColumn(0);
};

} // namespace lapidary
