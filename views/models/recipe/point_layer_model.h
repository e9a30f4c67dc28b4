// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"

#include <QAbstractTableModel>

#include <optional>

namespace lapidary {

// The layers of a file that the autopilot built, one a row in the order of execution: the form of
// each, its bytes, and its share of the noise.
class PointLayerModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { LayerColumn, FormColumn, BytesColumn, ShareColumn, ColumnCount };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setPoint(std::optional<AutopilotPoint> point); // none: no rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(std::size_t layer, int column) const;
    QVariant keyOf(std::size_t layer, int column) const;
    double shareOf(std::size_t layer) const;

    std::optional<AutopilotPoint> m_point;
    double m_noise = 0; // sum over all layers
};

} // namespace lapidary
