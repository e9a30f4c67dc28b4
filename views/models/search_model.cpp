// SPDX-License-Identifier: Apache-2.0
#include "views/models/search_model.h"

#include "graph_model/scopes/local_name.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void SearchModel::setHits(GraphPtr graph, ScopeTreePtr tree, const std::vector<SearchHit>& hits)
{
    beginResetModel();
    m_graph = std::move(graph);
    m_tree = std::move(tree);
    m_hits = hits;
    m_scopes.clear();
    if (m_tree)
        std::stable_sort(m_hits.begin(), m_hits.end(), [this](const auto& a, const auto& b) {
            return m_tree->parentOf(a.node) < m_tree->parentOf(b.node);
        });
    for (int i = 0; m_tree && i < hitCount(); ++i) {
        const GroupId group = m_tree->parentOf(m_hits[std::size_t(i)].node);
        if (m_scopes.empty() || m_scopes.back().group != group)
            m_scopes.push_back({group, i, 0});
        ++m_scopes.back().count;
    }
    endResetModel();
}

void SearchModel::clear()
{
    setHits({}, {}, {});
}

int SearchModel::numberOf(NodeId node) const
{
    const auto found = std::find_if(m_hits.begin(), m_hits.end(),
                                    [node](const SearchHit& hit) { return hit.node == node; });
    return found == m_hits.end() ? -1 : int(found - m_hits.begin());
}

int SearchModel::numberOf(const QModelIndex& index) const
{
    if (!index.isValid())
        return -1;
    if (index.internalId() == topLevel)
        return m_scopes[std::size_t(index.row())].first;
    return m_scopes[std::size_t(index.internalId())].first + index.row();
}

QModelIndex SearchModel::indexOfHit(int number) const
{
    if (number < 0 || number >= hitCount())
        return {};
    const auto after = std::upper_bound(m_scopes.begin(), m_scopes.end(), number,
                                        [](int n, const Scope& scope) { return n < scope.first; });
    const auto scope = after - 1;
    return createIndex(number - scope->first, 0, quintptr(scope - m_scopes.begin()));
}

QModelIndex SearchModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) : topLevel);
}

QModelIndex SearchModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == topLevel)
        return {};
    return createIndex(int(child.internalId()), 0, topLevel);
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return int(m_scopes.size());
    if (parent.column() > 0 || parent.internalId() != topLevel)
        return 0;
    return m_scopes[std::size_t(parent.row())].count;
}

int SearchModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant SearchModel::scopeText(const Scope& scope, int column) const
{
    if (column == DetailColumn)
        return QString::number(scope.count);
    const std::string& path = m_tree->group(scope.group).path;
    return scope.group == rootGroup || path.empty() ? u"top level"_s : plainText(path);
}

QVariant SearchModel::hitText(const SearchHit& hit, int column) const
{
    const Node& node = m_graph->node(hit.node);
    if (column == NameColumn)
        return plainText(localName(*m_tree, *m_graph, hit.node));
    const std::string_view field = searchFieldName(hit.field);
    return plainText(node.op()) +
           (hit.field == SearchField::Name || hit.field == SearchField::Op
                ? QString()
                : u" \u00B7 "_s + QString::fromLatin1(field.data(), qsizetype(field.size())));
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const bool isScope = index.internalId() == topLevel;
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == DetailColumn ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role == Qt::UserRole)
        return isScope;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    if (isScope)
        return scopeText(m_scopes[std::size_t(index.row())], index.column());
    const SearchHit& hit = m_hits[std::size_t(numberOf(index))];
    if (role == Qt::ToolTipRole)
        return plainText(m_graph->node(hit.node).name());
    return hitText(hit, index.column());
}

} // namespace lapidary
