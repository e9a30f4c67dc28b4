// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/sensitivity.h"

#include <QAbstractTableModel>

#include <memory>

namespace lapidary {

using SensitivityPtr = std::shared_ptr<const Sensitivity>;

// The layers of a model, one a row in the order of execution, with the noise at the outputs if only
// that layer is stored in a certain form.
class SensitivityModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        OrderColumn,
        LayerColumn,
        OpColumn,
        SqnrColumn,
        ShareColumn,
        AgreementColumn,
        ColumnCount
    };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setFound(SensitivityPtr found); // null: no rows
    const SensitivityPtr& found() const { return m_found; }
    const SensitiveLayer* layer(int row) const; // null: no such row

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const SensitiveLayer& layer, int row, int column) const;
    QVariant keyOf(const SensitiveLayer& layer, int row, int column) const;

    SensitivityPtr m_found;
};

} // namespace lapidary
