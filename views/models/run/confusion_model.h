// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/classify/evaluate_folder.h"

#include <QAbstractTableModel>

#include <memory>

namespace lapidary {

// A confusion matrix: a row for each true class of the pictures, a column for each answer.
class ConfusionModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // ShareRole: the share of a row's pictures that a cell holds, 0 to 1.
    enum DataRole { ShareRole = Qt::UserRole + 1, IsRightRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setFound(std::shared_ptr<const FolderEvaluation> found); // null: no cells
    std::int64_t classAt(int place) const { return m_confusion.classes[std::size_t(place)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString nameOf(int place) const;
    std::size_t rowSum(int row) const;

    std::shared_ptr<const FolderEvaluation> m_found;
    Confusion m_confusion;
};

} // namespace lapidary
