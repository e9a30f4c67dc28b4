// SPDX-License-Identifier: Apache-2.0
#include "views/models/op_table_model.h"

#include "graph_model/graph/function.h"
#include "views/models/column_alignment.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

std::vector<OpCount> countOps(const Graph& graph)
{
    std::unordered_map<std::string_view, std::int64_t> counts;
    for (const NodePtr& node : graph.nodes())
        ++counts[node->op()];
    std::vector<OpCount> ops;
    ops.reserve(counts.size());
    for (const auto& [op, count] : counts) {
        const OpFamily family = familyIn(graph, op);
        const bool isKnown = findOp(op) != nullptr || family != OpFamily::Unknown;
        ops.push_back({std::string(op), family, count, isKnown});
    }
    std::sort(ops.begin(), ops.end(), [](const OpCount& a, const OpCount& b) {
        return a.nodes != b.nodes ? a.nodes > b.nodes : a.op < b.op;
    });
    return ops;
}

void OpTableModel::setOps(std::vector<OpCount> ops)
{
    beginResetModel();
    m_ops = std::move(ops);
    endResetModel();
}

void OpTableModel::setHiddenOps(const QStringList& ops)
{
    m_hidden = ops;
    if (!m_ops.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
}

QString OpTableModel::op(int row) const
{
    return plainText(m_ops[std::size_t(row)].op);
}

int OpTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_ops.size());
}

int OpTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OpTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const OpCount& entry = m_ops[std::size_t(index.row())];
    if (role == Qt::CheckStateRole && index.column() == OpColumn)
        return m_hidden.contains(op(index.row())) ? Qt::Unchecked : Qt::Checked;
    if (role == SortRole && index.column() == CountColumn)
        return qlonglong(entry.nodes);
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(index.column() == CountColumn);
    if (role != Qt::DisplayRole && role != SortRole)
        return {};
    const std::string_view family = opFamilyName(entry.family);
    switch (index.column()) {
    case OpColumn: return op(index.row());
    case FamilyColumn: return plainText(family);
    default: return exactText(entry.nodes);
    }
}

bool OpTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != OpColumn)
        return false;
    emit hideOpRequested(op(index.row()), value.toInt() == Qt::Unchecked);
    return true;
}

Qt::ItemFlags OpTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == OpColumn ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant OpTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr std::array<QStringView, ColumnCount> titles{u"Op", u"Family", u"Nodes"};
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(section == CountColumn);
    return role == Qt::DisplayRole ? titles[std::size_t(section)].toString() : QVariant();
}

} // namespace lapidary
