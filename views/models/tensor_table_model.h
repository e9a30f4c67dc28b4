// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// The values of a tensor: the last dimension in columns, all others in rows. Reads the visible rows
// in small pieces. Shows at most ten million rows.
class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TensorTableModel(Tensor tensor, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // Returns the reason why some values cannot be shown; empty if all can.
    const QString& note() const { return m_note; }

private:
    QString valueAt(std::int64_t element) const;
    void loadStrings();

    Tensor m_tensor;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    QString m_note;
    std::vector<std::string> m_strings;
    // The piece of values that was read last.
    mutable std::int64_t m_pieceBegin = 0;
    mutable std::vector<double> m_piece;
};

} // namespace lapidary
