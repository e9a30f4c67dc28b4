// SPDX-License-Identifier: Apache-2.0
#include "views/models/outline_model.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/local_name.h"
#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/node_mime.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void OutlineModel::setTree(GraphPtr graph, ScopeTreePtr tree)
{
    beginResetModel();
    m_graph = std::move(graph);
    m_tree = std::move(tree);
    m_rowOfGroup.assign(m_tree ? m_tree->size() : 0, 0);
    m_rowOfNode.assign(m_tree ? m_graph->size() : 0, 0);
    m_rows.clear();
    for (std::uint32_t g = 0; g < m_rowOfGroup.size(); ++g) {
        std::vector<ItemId>& rows = m_rows.emplace_back(m_tree->group(GroupId{g}).children);
        std::stable_partition(rows.begin(), rows.end(),
                              [this](ItemId item) { return !isWeight(item); });
        for (std::uint32_t row = 0; row < rows.size(); ++row)
            (rows[row].isNode() ? m_rowOfNode : m_rowOfGroup)[rows[row].index] = row;
    }
    endResetModel();
}

bool OutlineModel::isWeight(ItemId item) const
{
    if (!item.isNode())
        return false;
    const std::string_view op = m_graph->node(item.node()).op();
    return isConstant(op) || isVariable(op);
}

ItemId OutlineModel::item(const QModelIndex& index) const
{
    if (!index.isValid() || !m_tree)
        return ItemId::of(rootGroup);
    const GroupId parent{std::uint32_t(index.internalId())};
    return m_rows[parent.value][std::size_t(index.row())];
}

std::uint32_t OutlineModel::rowOf(ItemId item) const
{
    return (item.isNode() ? m_rowOfNode : m_rowOfGroup)[item.index];
}

QModelIndex OutlineModel::indexOf(ItemId item) const
{
    if (!m_tree || item == ItemId::of(rootGroup))
        return {};
    const std::size_t size = item.isNode() ? m_rowOfNode.size() : m_rowOfGroup.size();
    if (item.index >= size)
        return {};
    return createIndex(int(rowOf(item)), 0, quintptr(m_tree->parentOf(item).value));
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!m_tree || row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent))
        return {};
    return createIndex(row, column, quintptr(item(parent).index));
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    return indexOf(ItemId::of(GroupId{std::uint32_t(child.internalId())}));
}

int OutlineModel::rowCount(const QModelIndex& parent) const
{
    if (!m_tree || parent.column() > 0)
        return 0;
    const ItemId id = item(parent);
    return id.isNode() ? 0 : int(m_tree->group(id.group()).children.size());
}

int OutlineModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant OutlineModel::groupData(const Group& group, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: {
        if (column == DetailColumn)
            return countText(group.nodeCount);
        const QString name = plainText(group.name);
        return group.repeats > 1 ? name + u"  \u00D7"_s + QString::number(group.repeats) : name;
    }
    case Qt::ToolTipRole: {
        QString tip = plainText(group.path) + u'\n' + counted(group.nodeCount, u"node"_s);
        if (group.weights > 0)
            tip += u", "_s + counted(group.weights, u"weight"_s);
        return group.reason.empty() ? tip : tip + u'\n' + plainText(group.reason);
    }
    case Qt::AccessibleTextRole:
        return column == DetailColumn ? counted(group.nodeCount, u"node"_s)
                                      : u"scope "_s + plainText(group.name) + u", "_s +
                                            counted(group.nodeCount, u"node"_s);
    default: return {};
    }
}

QVariant OutlineModel::nodeData(NodeId id, int column, int role) const
{
    const Node& node = m_graph->node(id);
    switch (role) {
    case Qt::DisplayRole:
        return column == DetailColumn ? plainText(node.op())
                                      : plainText(localName(*m_tree, *m_graph, id));
    case Qt::ToolTipRole: return plainText(node.name()) + u'\n' + plainText(node.op());
    case Qt::AccessibleTextRole:
        return column == DetailColumn
                   ? plainText(node.op())
                   : plainText(localName(*m_tree, *m_graph, id)) + u", "_s + plainText(node.op());
    case FamilyRole: return int(familyIn(*m_graph, node.op()));
    default: return {};
    }
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_tree)
        return {};
    const ItemId id = item(index);
    if (role == IsGroupRole)
        return !id.isNode();
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(index.column() == DetailColumn);
    return id.isNode() ? nodeData(id.node(), index.column(), role)
                       : groupData(m_tree->group(id.group()), index.column(), role);
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? u"Name"_s : u"Op or nodes"_s;
}

Qt::ItemFlags OutlineModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    return index.isValid() && item(index).isNode()
               ? flags | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren
               : flags;
}

QStringList OutlineModel::mimeTypes() const
{
    return {nodeMimeType(), u"text/plain"_s};
}

QMimeData* OutlineModel::mimeData(const QModelIndexList& indexes) const
{
    QStringList names;
    for (const QModelIndex& index : indexes) {
        const ItemId id = item(index);
        if (index.column() == NameColumn && id.isNode())
            names.append(QString::fromUtf8(m_graph->node(id.node()).name().data(),
                                           qsizetype(m_graph->node(id.node()).name().size())));
    }
    return nodeMimeData(names);
}

} // namespace lapidary
