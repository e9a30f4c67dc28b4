// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_delta.h"
#include "views/models/profile/profile_text.h"

#include <QAbstractTableModel>

namespace lapidary {

// The differences in time between two runs: one row for each pair of corresponding nodes, and a
// last one for the time outside of nodes. Rows within the noise are gray.
class DeltaModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        NodeColumn,
        OpColumn,
        BeforeColumn,
        AfterColumn,
        DifferenceColumn,
        VerdictColumn,
        ColumnCount
    };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setDelta(ProfileDeltaPtr delta); // null: no rows
    const ProfileDeltaPtr& delta() const { return m_delta; }
    // Returns the name of a row's node in the later profile; empty if it is only in the earlier
    // one.
    QString nodeAfter(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(std::size_t row, int column) const;
    QVariant keyOf(std::size_t row, int column) const;
    QString namesOf(std::size_t row) const;

    ProfileDeltaPtr m_delta;
    TimeColumn m_times = timeColumn(0);
};

// "slower", "new", "within the noise".
QString deltaText(DeltaKind kind);

} // namespace lapidary
