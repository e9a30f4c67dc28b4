// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace lapidary {

// One input, as the table shows it.
struct FeedRow {
    QString tensor; // "x:0"
    QString takes;  // "float"
    QString size;   // "1,224,224,3", as it may be typed
    QString words;  // the source in words
    QString says;   // a description of the value, or the error; empty while the source is being
                    // read
    bool isWrong = false;

    bool operator==(const FeedRow&) const = default;
};

// The inputs of a run, one a row. Sizes and sources can be edited, and files can be dropped on a
// row.
class FeedModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { InputColumn, TypeColumn, SizeColumn, SourceColumn, FedColumn, ColumnCount };

    // For tables with few columns: the second line of a cell, which is the type of an input, or a
    // description of the value from a source; and whether that line is an error.
    enum Roles { SecondLineRole = Qt::UserRole, WrongRole };

    using QAbstractTableModel::QAbstractTableModel;

    // If the inputs are the same as before, the rows are only changed, so that an open editor stays
    // open.
    void setRows(std::vector<FeedRow> rows);
    const FeedRow* row(int number) const;   // null: there is none
    int rowOf(const QString& tensor) const; // -1: there is none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QStringList mimeTypes() const override;
    Qt::DropActions supportedDropActions() const override { return Qt::CopyAction; }
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

signals:
    void wordsEdited(const QString& tensor, const QString& words);
    void sizeEdited(const QString& tensor, const QString& size);
    void fileDropped(const QString& tensor, const QString& path);

private:
    std::vector<FeedRow> m_rows;
};

} // namespace lapidary
