// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/sorted_table.h"

#include <QItemSelectionModel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>

namespace lapidary {

SortedTable::SortedTable(const QString& name, QAbstractItemModel& model, int sortRole,
                         QWidget* parent)
    : PanelTable(name, parent)
    , m_sorted(new QSortFilterProxyModel(this))
{
    m_sorted->setSourceModel(&model);
    m_sorted->setSortRole(sortRole);
    setModel(m_sorted);
    setSortingEnabled(true);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { emit rowChosen(rowOf(current)); });
}

int SortedTable::rowOf(const QModelIndex& index) const
{
    return m_sorted->mapToSource(index).row();
}

int SortedTable::currentRow() const
{
    return rowOf(currentIndex());
}

void SortedTable::showRow(int row)
{
    const QSignalBlocker blocker(this);
    const QAbstractItemModel& model = *m_sorted->sourceModel();
    const QModelIndex index = m_sorted->mapFromSource(model.index(row, 0));
    if (!index.isValid()) {
        clearSelection();
        return;
    }
    setCurrentIndex(index);
    scrollTo(index);
}

} // namespace lapidary
