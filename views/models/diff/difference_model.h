// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/diff/difference_list.h"

#include <QAbstractTableModel>

namespace lapidary {

// The differences between two graphs: a row for each difference, in the order in which stepping
// visits them.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SignColumn, NodeColumn, OpColumn, WhatColumn, ColumnCount };
    enum DataRole { KindsRole = Qt::UserRole + 1, SortRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setList(DifferenceListPtr list); // null: no rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    DifferenceListPtr m_list;
};

// "+", "−", "→" or "~".
QString differenceSign(const Difference& difference);

} // namespace lapidary
