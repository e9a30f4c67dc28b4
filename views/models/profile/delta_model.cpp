// SPDX-License-Identifier: Apache-2.0
#include "views/models/profile/delta_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"

#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostNames = 20; // in a tooltip

const ProfiledNode* slowest(const NodeProfile& profile, const std::vector<std::uint32_t>& rows)
{
    const auto timeOf = [&](std::uint32_t row) { return profile.nodes[row].nanoseconds; };
    const auto at = std::ranges::max_element(rows, {}, timeOf);
    return at == rows.end() ? nullptr : &profile.nodes[*at];
}

// Returns the node for a row; null if there is none.
const ProfiledNode* nodeOf(const ProfileDelta& delta, const DeltaRow& row)
{
    return row.after.empty() ? slowest(delta.before(), row.before)
                             : slowest(delta.after(), row.after);
}

QString signedTime(double nanoseconds, const TimeColumn& column)
{
    const QString sign = nanoseconds < 0 ? u"\u2212"_s : nanoseconds > 0 ? u"+"_s : QString();
    return sign + column.text(std::abs(nanoseconds));
}

// Returns the largest time of nodes. That outside of them may be a thousand times as long, and its
// unit would leave nothing of theirs.
double largestTime(const ProfileDelta& delta)
{
    double largest = 0;
    for (const DeltaRow& row : delta.rows())
        if (nodeOf(delta, row) != nullptr)
            largest = std::max({largest, delta.timeBefore(row), delta.timeAfter(row)});
    return largest;
}

void addNames(QStringList& lines, const QString& title, const NodeProfile& profile,
              const std::vector<std::uint32_t>& rows)
{
    for (std::size_t i = 0; i < rows.size() && i < mostNames; ++i)
        lines.append(title + plainText(profile.nodes[rows[i]].name));
}

bool isOfTimes(int column)
{
    return column >= DeltaModel::BeforeColumn && column <= DeltaModel::DifferenceColumn;
}

} // namespace

QString deltaText(DeltaKind kind)
{
    switch (kind) {
    case DeltaKind::Slower: return u"slower"_s;
    case DeltaKind::Faster: return u"faster"_s;
    case DeltaKind::New: return u"new"_s;
    case DeltaKind::Gone: return u"gone"_s;
    case DeltaKind::Noise: break;
    }
    return u"within the noise"_s;
}

void DeltaModel::setDelta(ProfileDeltaPtr delta)
{
    beginResetModel();
    m_delta = std::move(delta);
    m_times = timeColumn(m_delta ? largestTime(*m_delta) : 0);
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, BeforeColumn, DifferenceColumn);
}

QString DeltaModel::nodeAfter(int row) const
{
    if (!m_delta || row < 0 || std::size_t(row) >= m_delta->rows().size())
        return {};
    const DeltaRow& at = m_delta->rows()[std::size_t(row)];
    return at.after.empty() ? QString() : plainText(nodeOf(*m_delta, at)->name);
}

int DeltaModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_delta ? 0 : int(m_delta->rows().size());
}

int DeltaModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString DeltaModel::textOf(std::size_t row, int column) const
{
    const DeltaRow& at = m_delta->rows()[row];
    const ProfiledNode* node = nodeOf(*m_delta, at);
    switch (column) {
    case NodeColumn: {
        if (node == nullptr)
            return u"outside of nodes"_s;
        QString name = plainText(node->name);
        if (at.after.size() > 1)
            name += u" +%1"_s.arg(at.after.size() - 1);
        return at.before.size() > 1 ? name + u" \u2190 %1"_s.arg(at.before.size()) : name;
    }
    case OpColumn: return node != nullptr ? plainText(node->op) : QString();
    case BeforeColumn:
        return at.kind == DeltaKind::New ? QString() : m_times.text(m_delta->timeBefore(at));
    case AfterColumn:
        return at.kind == DeltaKind::Gone ? QString() : m_times.text(m_delta->timeAfter(at));
    case DifferenceColumn: return signedTime(m_delta->difference(at), m_times);
    default: break;
    }
    const bool isNoise = at.kind == DeltaKind::Noise; // the column is narrow
    return node == nullptr ? QString() : isNoise ? u"noise"_s : deltaText(at.kind);
}

QVariant DeltaModel::keyOf(std::size_t row, int column) const
{
    const DeltaRow& at = m_delta->rows()[row];
    switch (column) {
    case BeforeColumn: return m_delta->timeBefore(at);
    case AfterColumn: return m_delta->timeAfter(at);
    case DifferenceColumn: return m_delta->difference(at);
    default: break;
    }
    return textOf(row, column);
}

QString DeltaModel::namesOf(std::size_t row) const
{
    const DeltaRow& at = m_delta->rows()[row];
    QStringList lines;
    addNames(lines, u"before: "_s, m_delta->before(), at.before);
    addNames(lines, u"after: "_s, m_delta->after(), at.after);
    return lines.join(u'\n');
}

QVariant DeltaModel::data(const QModelIndex& index, int role) const
{
    if (!m_delta || !index.isValid() || index.row() >= rowCount())
        return {};
    const auto row = std::size_t(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(row, index.column());
    case SortRole: return keyOf(row, index.column());
    case Qt::ToolTipRole:
        return index.column() <= OpColumn ? namesOf(row) : textOf(row, index.column());
    case Qt::ForegroundRole:
        return m_delta->rows()[row].kind == DeltaKind::Noise
                   ? QVariant(QPalette().brush(QPalette::Disabled, QPalette::Text))
                   : QVariant();
    case Qt::TextAlignmentRole: return columnAlignment(isOfTimes(index.column()));
    default: break;
    }
    return {};
}

QVariant DeltaModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const std::array<QString, ColumnCount> titles{
        u"Node"_s, u"Op"_s, u"Before, %1"_s, u"After, %1"_s, u"Difference, %1"_s, u"Verdict"_s};
    static const std::array<QString, ColumnCount> tips{
        u"The slowest node of the row; +2: with two others, \u2190 3: made of three nodes before"_s,
        u"Op of the node"_s,
        u"Time per run in the kept profile"_s,
        u"Time per run in the shown profile"_s,
        u"Additional time in this row; the rows add up to the difference of the runs"_s,
        u"Gray: the fastest and slowest runs of both overlap"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole) {
        const QString& title = titles[std::size_t(section)];
        return isOfTimes(section) ? title.arg(m_times.unit) : title;
    }
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(isOfTimes(section));
    return role == Qt::ToolTipRole ? QVariant(tips[std::size_t(section)]) : QVariant();
}

} // namespace lapidary
