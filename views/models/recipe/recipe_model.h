// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>

#include <vector>

namespace lapidary {

// One step of a recipe as the panel shows it.
struct RecipeRow {
    enum class Status { Off, Pending, Waiting, Applied, Failed, Blocked };
    QString pass;
    QString arguments; // "Identity, CheckNumerics"
    Status status = Status::Pending;
    QString count;          // at the right: "\u221214", "53 found"
    QString note;           // a second line: near misses, or why the step failed
    bool isProblem = false; // whether the note is colored
    QString help;           // tooltip

    bool operator==(const RecipeRow&) const = default;
};

// The steps in order. Requests changes by signal; the owner then calls setRows().
class RecipeModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum DataRole {
        StatusRole = Qt::UserRole + 1,
        ArgumentsRole,
        CountRole,
        NoteRole,
        ProblemRole
    };
    using QAbstractListModel::QAbstractListModel;

    void setRows(std::vector<RecipeRow> rows);
    const std::vector<RecipeRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

signals:
    void switchRequested(int row, bool isOn);
    void moveRequested(int from, int to); // `to` is the position after the move

private:
    std::vector<RecipeRow> m_rows;
};

} // namespace lapidary
