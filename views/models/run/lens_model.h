// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/verify_runs.h"

#include <QAbstractTableModel>

#include <memory>

namespace lapidary {

// The tensors that both of two graphs compute, one a row in the order of execution: their
// differences, and the codes of those that are quantized.
class LensModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        OrderColumn,
        TensorColumn,
        SqnrColumn,
        MostColumn,
        MeanColumn,
        CosineColumn,
        SaturatedColumn,
        ScaleColumn,
        ZeroColumn,
        CodesColumn,
        ColumnCount
    };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setFound(std::shared_ptr<const Verification> found); // null: no rows
    bool hasCodes() const;                                    // of any tensor
    const VerifiedPair* pair(int row) const;                  // null: no such row

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const Verification> m_found;
};

} // namespace lapidary
