// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/explore/search_index.h"
#include "graph_model/scopes/scope_tree.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

// The hits of a search, grouped by scope: one row for a scope with its count, and below it one row
// for each hit. Hits keep the order of the outline, so that stepping follows the list.
class SearchModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NameColumn, DetailColumn, ColumnCount };
    using QAbstractItemModel::QAbstractItemModel;

    void setHits(GraphPtr graph, ScopeTreePtr tree, const std::vector<SearchHit>& hits);
    void clear();

    int hitCount() const { return int(m_hits.size()); }
    NodeId hit(int number) const { return m_hits[std::size_t(number)].node; }
    const std::vector<SearchHit>& hits() const { return m_hits; }
    int numberOf(NodeId node) const;              // -1 if it is not a hit
    int numberOf(const QModelIndex& index) const; // for a scope's row, its first hit
    QModelIndex indexOfHit(int number) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Scope {
        GroupId group;
        int first = 0; // index of its first hit
        int count = 0;
    };
    static constexpr quintptr topLevel = ~quintptr(0);
    QVariant scopeText(const Scope& scope, int column) const;
    QVariant hitText(const SearchHit& hit, int column) const;

    GraphPtr m_graph;
    ScopeTreePtr m_tree;
    std::vector<SearchHit> m_hits;
    std::vector<Scope> m_scopes;
};

} // namespace lapidary
