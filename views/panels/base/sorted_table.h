// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/base/table_panels.h"

namespace lapidary {

// A table whose columns can be sorted. Row numbers are those of its model. To change the model
// without rowChosen(), block the signals of the table meanwhile.
class SortedTable : public PanelTable {
    Q_OBJECT
public:
    // `name`: for screen readers. `sortRole`: the role of the data that the columns are sorted by.
    SortedTable(const QString& name, QAbstractItemModel& model, int sortRole,
                QWidget* parent = nullptr);

    int currentRow() const;                    // -1: none
    void showRow(int row);                     // makes it the current row without rowChosen(); -1:
                                               // none
    int rowOf(const QModelIndex& index) const; // `index`: of the table; -1 if it is invalid

signals:
    void rowChosen(int row); // became the current row; -1: none is

private:
    QSortFilterProxyModel* m_sorted;
};

} // namespace lapidary
