// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/explore/search_index.h"
#include "graph_model/scopes/scope_tree.h"
#include "views/models/list_name.h"

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace lapidary {

// The hits of a search, one row for each: the name without the part that all hits have in common,
// the op, and a detail that distinguishes the hit (the size of its filter or of its output, and the
// attributes of the query). Hits keep the order of the outline, so that stepping follows the list.
class SearchModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, OpColumn, DetailColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    // Null pointers and an empty answer: no hits.
    void setAnswer(SearchIndexPtr index, const ScopeTreePtr& tree, const SearchAnswer& answer);

    int hitCount() const { return int(m_answer.hits.size()); }
    NodeId hit(int number) const { return m_answer.hits[std::size_t(number)].node; }
    const std::vector<SearchHit>& hits() const { return m_answer.hits; }
    int numberOf(NodeId node) const; // -1 if it is not a hit
    // Returns the scope that contains all hits, which their names leave out; empty if there is
    // none.
    const QString& commonScope() const { return m_commonScope; }
    ListName name(int number) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void findCommon();
    void findVarying();
    QStringList parts(int number) const;
    QString detail(const SearchHit& hit) const;

    SearchIndexPtr m_index;
    SearchAnswer m_answer;
    QString m_commonScope;
    qsizetype m_commonParts = 0;
    bool m_endsWithOp = false;  // every name ends with the op, and the table leaves that part out
    std::vector<bool> m_varies; // whether the scopes at an index of the names differ
};

} // namespace lapidary
