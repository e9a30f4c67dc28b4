// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <vector>

namespace lapidary {

// The scopes and nodes of a graph as a tree. An index carries the group that it is a child of, and
// rows are positions among that group's children: in the order of the file, with constants and
// variables after all that computes.
class OutlineModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NameColumn, DetailColumn, ColumnCount };
    enum DataRole { FamilyRole = Qt::UserRole + 1, IsGroupRole };
    using QAbstractItemModel::QAbstractItemModel;

    // Takes null pointers for an empty model.
    void setTree(GraphPtr graph, ScopeTreePtr tree);

    ItemId item(const QModelIndex& index) const; // the root group for an invalid index
    QModelIndex indexOf(ItemId item) const;      // invalid for the root and for unknown items

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

private:
    QVariant groupData(const Group& group, int column, int role) const;
    QVariant nodeData(NodeId id, int column, int role) const;
    std::uint32_t rowOf(ItemId item) const;
    bool isWeight(ItemId item) const;

    GraphPtr m_graph;
    ScopeTreePtr m_tree;
    std::vector<std::vector<ItemId>> m_rows; // by GroupId
    std::vector<std::uint32_t> m_rowOfGroup; // by GroupId
    std::vector<std::uint32_t> m_rowOfNode;  // by NodeId
};

} // namespace lapidary
