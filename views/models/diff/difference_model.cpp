// SPDX-License-Identifier: Apache-2.0
#include "views/models/diff/difference_model.h"

#include "views/models/display_text.h"

#include <algorithm>
#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString whatText(const Difference& difference, const QString& separator)
{
    QStringList texts;
    for (const std::string& text : difference.texts)
        texts.append(plainText(text));
    return texts.join(separator);
}

// Returns "added", or "type, shape".
QString kindText(const Difference& difference)
{
    QStringList kinds;
    for (int kind = 0; kind < differenceKindCount; ++kind)
        if (difference.is(DifferenceKind(kind)))
            kinds.append(plainText(differenceKindName(DifferenceKind(kind))));
    return kinds.join(u", "_s);
}

// Returns "Conv2D → QuantizedConv2D".
QString opsText(const Change& change)
{
    const QString before = plainText(change.before);
    const QString after = plainText(change.after);
    if (before.isEmpty() || after.isEmpty() || before == after)
        return before.isEmpty() ? after : before;
    return before + u" \u2192 "_s + after;
}

} // namespace

QString differenceSign(const Difference& difference)
{
    if (difference.is(DifferenceKind::Added))
        return u"+"_s;
    if (difference.is(DifferenceKind::Removed))
        return u"\u2212"_s;
    return difference.kinds == 1U << int(DifferenceKind::Renamed) ? u"\u2192"_s : u"~"_s;
}

void DifferenceModel::setList(DifferenceListPtr list)
{
    beginResetModel();
    m_list = std::move(list);
    m_isOpen.assign(m_list ? m_list->story.rows.size() : 0, false);
    makeRows();
    endResetModel();
}

void DifferenceModel::setPlain(bool isPlain)
{
    if (m_isPlain == isPlain)
        return;
    beginResetModel();
    m_isPlain = isPlain;
    endResetModel();
}

void DifferenceModel::makeRows()
{
    m_rows.clear();
    const std::size_t count = m_list ? m_list->story.rows.size() : 0;
    for (std::uint32_t g = 0; g < count; ++g) {
        const StoryRow& group = m_list->story.rows[g];
        if (group.changes.size() > 1)
            m_rows.push_back({g, wholeRow});
        if (group.changes.size() == 1 || m_isOpen[g])
            for (const std::uint32_t change : group.changes)
                m_rows.push_back({g, change});
    }
}

bool DifferenceModel::isHead(int row) const
{
    return isGrouped() && std::size_t(row) < m_rows.size() &&
           m_rows[std::size_t(row)].change == wholeRow;
}

void DifferenceModel::toggle(int row)
{
    if (!isHead(row))
        return;
    const std::uint32_t group = m_rows[std::size_t(row)].group;
    const int inside = int(m_list->story.rows[group].changes.size());
    const bool isOpen = m_isOpen[group];
    m_isOpen[group] = !isOpen;
    if (isOpen) {
        beginRemoveRows({}, row + 1, row + inside);
        makeRows();
        endRemoveRows();
    } else {
        beginInsertRows({}, row + 1, row + inside);
        makeRows();
        endInsertRows();
    }
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int DifferenceModel::stepOf(int row) const
{
    if (!isGrouped())
        return row;
    const Row& shown = m_rows[std::size_t(row)];
    const std::uint32_t change =
        shown.change == wholeRow ? m_list->story.rows[shown.group].changes.front() : shown.change;
    return int(m_list->story.changes[change].steps.front());
}

int DifferenceModel::rowOf(int step) const
{
    if (!m_list || step < 0 || std::size_t(step) >= m_list->steps.size())
        return -1;
    if (!isGrouped())
        return step;
    const std::uint32_t change = m_list->story.changeOfStep[std::size_t(step)];
    int head = -1;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].change == change)
            return int(i);
        const auto& changes = m_list->story.rows[m_rows[i].group].changes;
        if (m_rows[i].change == wholeRow && std::ranges::find(changes, change) != changes.end())
            head = int(i);
    }
    return head;
}

int DifferenceModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_list)
        return 0;
    return int(isGrouped() ? m_rows.size() : m_list->steps.size());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

std::uint16_t DifferenceModel::kindsOf(const Row& row) const
{
    std::uint16_t kinds = 0;
    const auto add = [&](std::uint32_t change) {
        for (const std::uint32_t step : m_list->story.changes[change].steps)
            kinds = std::uint16_t(kinds | m_list->steps[step].kinds);
    };
    if (row.change != wholeRow)
        add(row.change);
    else
        std::ranges::for_each(m_list->story.rows[row.group].changes, add);
    return kinds;
}

QVariant DifferenceModel::headText(const Row& row, int column) const
{
    const StoryRow& group = m_list->story.rows[row.group];
    switch (column) {
    case SignColumn: return m_isOpen[row.group] ? u"\u25BE"_s : u"\u25B8"_s;
    case NodeColumn: return group.scope.empty() ? u"(no scope)"_s : plainText(group.scope);
    case OpColumn: return opsText(m_list->story.changes[group.changes.front()]);
    default: return plainText(ruleText(group.rule, group.changes.size()));
    }
}

QString DifferenceModel::membersText(const Change& change) const
{
    constexpr std::size_t mostNamed = 12;
    QStringList names;
    for (std::size_t i = 1; i < std::min(change.steps.size(), mostNamed + 1); ++i)
        names.append(differenceSign(m_list->steps[change.steps[i]]) + u' ' +
                     plainText(m_list->steps[change.steps[i]].name));
    if (change.steps.size() > mostNamed + 1)
        names.append(u"\u2026"_s);
    return names.join(u'\n');
}

QVariant DifferenceModel::changeText(const Change& change, bool isInside, int column) const
{
    const Difference& first = m_list->steps[change.steps.front()];
    const bool isReplaced = !change.before.empty() && !change.after.empty();
    switch (column) {
    case SignColumn: return isReplaced ? u"~"_s : differenceSign(first);
    case NodeColumn: return (isInside ? u"    "_s : QString()) + plainText(first.name);
    case OpColumn: return opsText(change);
    default: break;
    }
    const QString what = isReplaced && !first.after.isValid() ? plainText(change.rule)
                                                              : whatText(first, u" \u00B7 "_s);
    return change.steps.size() == 1
               ? what
               : u"%1 \u00B7 with %2"_s.arg(
                     what, counted(std::int64_t(change.steps.size()) - 1, u"more node"_s));
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_list)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == SignColumn ? Qt::AlignHCenter : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (!isGrouped())
        return plainData(m_list->steps[std::size_t(index.row())], index, role);
    const Row& row = m_rows[std::size_t(index.row())];
    const bool isWhole = row.change == wholeRow;
    if (role == KindsRole)
        return uint(kindsOf(row));
    if (role == SortRole)
        return index.row();
    if (role == Qt::AccessibleTextRole && isWhole && index.column() == SignColumn)
        return m_isOpen[row.group] ? u"open"_s : u"closed"_s;
    if (role == Qt::ToolTipRole && !isWhole && index.column() == WhatColumn &&
        m_list->story.changes[row.change].steps.size() > 1)
        return membersText(m_list->story.changes[row.change]);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    const bool isInside = m_list->story.rows[row.group].changes.size() > 1;
    return isWhole ? headText(row, index.column())
                   : changeText(m_list->story.changes[row.change], isInside, index.column());
}

QVariant DifferenceModel::plainData(const Difference& difference, const QModelIndex& index,
                                    int role) const
{
    if (role == KindsRole)
        return uint(difference.kinds);
    if (role == SortRole)
        return index.column() == SignColumn ? QVariant(index.row()) : data(index, Qt::DisplayRole);
    if (role == Qt::AccessibleTextRole && index.column() == SignColumn)
        return kindText(difference);
    if (role == Qt::ToolTipRole)
        return index.column() == WhatColumn   ? whatText(difference, u"\n"_s)
               : index.column() == SignColumn ? kindText(difference)
                                              : data(index, Qt::DisplayRole);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (index.column()) {
    case SignColumn: return differenceSign(difference);
    case NodeColumn: return plainText(difference.name);
    case OpColumn: return plainText(difference.op);
    default: return whatText(difference, u" \u00B7 "_s);
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr std::array<QStringView, ColumnCount> titles{u"", u"Node", u"Op",
                                                                 u"What differs"};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return titles[std::size_t(section)].toString();
    if (role == Qt::AccessibleTextRole)
        return section == SignColumn ? u"Kind"_s : titles[std::size_t(section)].toString();
    return {};
}

} // namespace lapidary
