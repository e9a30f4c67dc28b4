// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/base/table_panels.h"

namespace lapidary {

// A table whose columns sort. Rows are counted as in its model; whoever changes the model without
// wanting rowChosen() blocks the signals of the table meanwhile.
class SortedTable : public PanelTable {
    Q_OBJECT
public:
    // `name`: for screen readers. `sortRole`: of the data by which the model's columns sort.
    SortedTable(const QString& name, QAbstractItemModel& model, int sortRole,
                QWidget* parent = nullptr);

    int currentRow() const;                    // -1: none
    void showRow(int row);                     // makes it current without rowChosen(); -1: none
    int rowOf(const QModelIndex& index) const; // of an index of the table; -1: invalid

signals:
    void rowChosen(int row); // it became current; -1: none is

private:
    QSortFilterProxyModel* m_sorted;
};

} // namespace lapidary
