// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/classify/evaluate_folder.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <memory>
#include <optional>
#include <utility>

namespace lapidary {

using FolderEvaluationPtr = std::shared_ptr<const FolderEvaluation>;

// The pictures that were evaluated, one a row: their classes, and the answers of the graphs.
class PictureListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { FileColumn, ClassColumn, AnswerColumn, ScoreColumn, OtherColumn, ColumnCount };
    enum DataRole { SortRole = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void setFound(FolderEvaluationPtr found); // null: no rows
    const FolderEvaluationPtr& found() const { return m_found; }
    const Sample* sample(int row) const; // null: no such row
    bool isWrong(int row) const;         // the class is known, and the answer is another one
    bool areDifferent(int row) const;    // the answers of the two graphs
    std::int64_t answer(int row) const { return m_found->first.best[std::size_t(row)].index; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(std::size_t row, int column) const;

    FolderEvaluationPtr m_found;
};

// Filters the pictures that are listed.
class PictureFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum Kind { AllKind, WrongKind, DifferentKind };
    using Cell = std::pair<std::int64_t, std::int64_t>; // class and answer
    explicit PictureFilter(PictureListModel& model, QObject* parent = nullptr);

    void setKind(Kind kind);
    void setCell(std::optional<Cell> cell); // none: all classes and answers
    const std::optional<Cell>& cell() const { return m_cell; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    const PictureListModel& m_model;
    Kind m_kind = AllKind;
    std::optional<Cell> m_cell;
};

} // namespace lapidary
