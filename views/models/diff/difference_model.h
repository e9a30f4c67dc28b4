// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/diff/difference_list.h"

#include <QAbstractTableModel>

#include <vector>

namespace lapidary {

// The differences between two graphs, in the order in which stepping visits them. A short list has
// a row for each difference; a long one has a row for each kind of change in each scope, which can
// be opened to a row for each change.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SignColumn, NodeColumn, OpColumn, WhatColumn, ColumnCount };
    enum DataRole { KindsRole = Qt::UserRole + 1, SortRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setList(DifferenceListPtr list); // null: no rows
    void setPlain(bool isPlain);          // always a row for each difference, even if the list is
                                          // long
    bool isGrouped() const { return m_list && m_list->isLong() && !m_isPlain; }
    bool isHead(int row) const; // the row can be opened and closed
    void toggle(int row);
    int stepOf(int row) const; // index into the list's steps; for a head, its first one
    int rowOf(int step) const; // the row that shows it; -1: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr std::uint32_t wholeRow = UINT32_MAX;
    struct Row {
        std::uint32_t group = 0;         // of the story
        std::uint32_t change = wholeRow; // of the story; `wholeRow`: the row is the head of the
                                         // group
    };
    void makeRows();
    QVariant plainData(const Difference& difference, const QModelIndex& index, int role) const;
    QVariant headText(const Row& row, int column) const;
    QVariant changeText(const Change& change, bool isInside, int column) const;
    QString membersText(const Change& change) const;
    std::uint16_t kindsOf(const Row& row) const;

    DifferenceListPtr m_list;
    bool m_isPlain = false;
    std::vector<bool> m_isOpen; // by group
    std::vector<Row> m_rows;    // if the list is grouped
};

// "+", "−", "→" or "~".
QString differenceSign(const Difference& difference);

} // namespace lapidary
