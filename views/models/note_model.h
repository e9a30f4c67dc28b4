// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace lapidary {

// One line of the list of notes.
struct NoteRow {
    bool isScope = false;
    QString place; // the node's name, or the scope's path
    QString text;
    bool isBookmark = false;
    bool isThere = true; // the shown graph has it

    bool operator==(const NoteRow&) const = default;
};

// Notes and bookmarks, one a row; the text can be edited.
class NoteModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { BookmarkColumn, PlaceColumn, TextColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<NoteRow> rows);
    const NoteRow* row(int number) const; // null: no such row

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void textEdited(bool isScope, const QString& place, const QString& text);

private:
    std::vector<NoteRow> m_rows;
};

} // namespace lapidary
