// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/node_facts.h"

#include <QAbstractItemModel>

namespace lapidary {

// Facts below the headings of their sections, as the node panel shows them.
class FactModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { KeyColumn, ValueColumn, DetailColumn, ColumnCount };
    enum DataRole { IsHeadingRole = Qt::UserRole + 1, IsLinkRole, HasKeysRole };
    using QAbstractItemModel::QAbstractItemModel;

    // HasKeysRole tells whether some fact of the section has a key; if none has, the values begin
    // at the left.

    void setSections(FactSections sections);
    const FactSections& sections() const { return m_sections; }
    const Fact* fact(const QModelIndex& index) const; // null for a heading
    QString rowText(const QModelIndex& index) const;  // "key: value (detail)", for copies

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    static constexpr quintptr topLevel = ~quintptr(0);
    FactSections m_sections;
};

} // namespace lapidary
