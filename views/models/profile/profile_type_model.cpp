// SPDX-License-Identifier: Apache-2.0
#include "views/models/profile/profile_type_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void ProfileTypeModel::setProfile(NodeProfilePtr profile)
{
    beginResetModel();
    m_profile = std::move(profile);
    m_rows.clear();
    std::unordered_map<std::string_view, std::size_t> known;
    double all = 0;
    if (m_profile) {
        for (const ProfiledNode& node : m_profile->nodes) {
            const auto [at, isNew] = known.try_emplace(node.op, m_rows.size());
            if (isNew)
                m_rows.push_back({node.op, {}, 0, 0});
            Row& row = m_rows[at->second];
            row.sum += {node.nanoseconds, node.bytes, node.flops.value_or(0), 1};
            row.calls += node.calls;
        }
        all = double(m_profile->nodeNanoseconds());
    }
    std::ranges::stable_sort(m_rows, [](const Row& a, const Row& b) {
        return a.sum.nanoseconds != b.sum.nanoseconds ? a.sum.nanoseconds > b.sum.nanoseconds
                                                      : a.op < b.op;
    });
    const double runs = m_profile ? double(std::max<std::int64_t>(m_profile->runs, 1)) : 1;
    m_times = timeColumn(m_rows.empty() ? 0 : double(m_rows.front().sum.nanoseconds) / runs);
    double sum = 0;
    for (Row& row : m_rows) {
        sum += double(row.sum.nanoseconds);
        row.cumulative = all > 0 ? sum / all : 0;
    }
    endResetModel();
}

QString ProfileTypeModel::op(int row) const
{
    return plainText(m_rows[std::size_t(row)].op);
}

int ProfileTypeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ProfileTypeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ProfileTypeModel::text(const Row& row, int column) const
{
    const double runs = double(std::max<std::int64_t>(m_profile->runs, 1));
    const double all = double(m_profile->nodeNanoseconds());
    switch (column) {
    case OpColumn: return plainText(row.op);
    case NodesColumn: return exactText(row.sum.nodes);
    case TimeColumn: return m_times.text(double(row.sum.nanoseconds) / runs);
    case ShareColumn:
        return all > 0 ? QString::number(double(row.sum.nanoseconds) / all * 100, 'f', 2)
                       : QString();
    case SumColumn: return QString::number(row.cumulative * 100, 'f', 1);
    case FlopsColumn: return row.sum.flops > 0 ? flopsText(row.sum.flops) : QString();
    case MemoryColumn: return bytesText(row.sum.bytes);
    default: return exactText(row.calls);
    }
}

QVariant ProfileTypeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[std::size_t(index.row())];
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return text(row, index.column());
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(index.column() != OpColumn);
    if (role != SortRole)
        return {};
    switch (index.column()) {
    case NodesColumn: return qlonglong(row.sum.nodes);
    case TimeColumn:
    case ShareColumn: return qlonglong(row.sum.nanoseconds);
    case SumColumn: return row.cumulative;
    case FlopsColumn: return qlonglong(row.sum.flops);
    case MemoryColumn: return qulonglong(row.sum.bytes);
    case CallsColumn: return qlonglong(row.calls);
    default: return op(index.row());
    }
}

QVariant ProfileTypeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr std::array<QStringView, ColumnCount> titles{
        u"Op", u"Nodes", u"Time, %1", u"%", u"Sum %", u"FLOP", u"Memory", u"Calls"};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole) {
        const QString title = titles[std::size_t(section)].toString();
        return section == TimeColumn ? title.arg(m_times.unit) : title;
    }
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(section != OpColumn);
    return {};
}

} // namespace lapidary
