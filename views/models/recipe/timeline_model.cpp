// SPDX-License-Identifier: Apache-2.0
#include "views/models/recipe/timeline_model.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void TimelineModel::setEntries(std::vector<TimelineEntry> entries, int shown)
{
    const int before = int(m_entries.size());
    const int after = int(entries.size());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_entries.resize(entries.size());
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_entries.resize(entries.size());
        endRemoveRows();
    }
    const int wasShown = std::exchange(m_shown, shown);
    for (int i = 0; i < after; ++i) {
        TimelineEntry& mine = m_entries[std::size_t(i)];
        const bool isOther = mine != entries[std::size_t(i)];
        mine = std::move(entries[std::size_t(i)]);
        if (isOther || (wasShown != shown && (i == wasShown || i == shown)))
            emit dataChanged(index(i), index(i));
    }
}

int TimelineModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

QVariant TimelineModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || std::size_t(index.row()) >= m_entries.size())
        return {};
    const TimelineEntry& entry = m_entries[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return entry.title;
    case Qt::ToolTipRole: return entry.help;
    case Qt::AccessibleTextRole:
        return entry.title + u", "_s + entry.facts +
               (entry.verdict.isEmpty() ? QString() : u", "_s + entry.verdict) +
               (entry.isGhost ? u", not applied"_s : QString()) +
               (index.row() == m_shown ? u", shown"_s : QString());
    case FactsRole: return entry.facts;
    case VerdictRole: return entry.verdict;
    case ToneRole: return int(entry.tone);
    case GhostRole: return entry.isGhost;
    case ShownRole: return index.row() == m_shown;
    default: return {};
    }
}

} // namespace lapidary
