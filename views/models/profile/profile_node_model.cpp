// SPDX-License-Identifier: Apache-2.0
#include "views/models/profile/profile_node_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"

#include <QBrush>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

struct ColumnTitle {
    QStringView text;
    QStringView tip;
};
constexpr std::array<ColumnTitle, ProfileNodeModel::ColumnCount> titles{{
    {u"#", u"Order of the first execution"},
    {u"Node", u"Name of the node"},
    {u"Op", u"Type of the node"},
    {u"Time, %1", u"Mean time of a run"},
    {u"Least … most, %1", u"Times of the fastest and the slowest run"},
    {u"%", u"Share of the time of all nodes"},
    {u"Sum %", u"Share of this node and all slower ones"},
    {u"Calls", u"Executions in a run"},
    {u"FLOP/s", u"Floating-point operations by the rules of benchmark_model, in a second"},
    {u"Output", u"Shape of the first output"},
    {u"Memory", u"Bytes of all outputs"},
    {u"Here, %1", u"Mean time of a run on this machine"},
    {u"\u00D7 here", u"Share of the time there, as a multiple of its share here"},
}};

bool isTimeColumn(int column)
{
    return column == ProfileNodeModel::TimeColumn || column == ProfileNodeModel::SpreadColumn ||
           column == ProfileNodeModel::HereColumn;
}

bool isNumber(int column)
{
    return column != ProfileNodeModel::NodeColumn && column != ProfileNodeModel::OpColumn &&
           column != ProfileNodeModel::OutputColumn;
}

// Returns for each node the sum of the shares of it and all slower nodes; ties keep the order of
// execution.
std::vector<double> cumulativeShares(const NodeProfile& profile)
{
    std::vector<std::size_t> rows(profile.nodes.size());
    std::iota(rows.begin(), rows.end(), std::size_t(0));
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        return profile.nodes[a].nanoseconds > profile.nodes[b].nanoseconds;
    });
    const double all = double(profile.nodeNanoseconds());
    std::vector<double> shares(rows.size());
    double sum = 0;
    for (const std::size_t row : rows) {
        sum += double(profile.nodes[row].nanoseconds);
        shares[row] = all > 0 ? sum / all : 0;
    }
    return shares;
}

} // namespace

void ProfileNodeModel::setSums(ProfileSumsPtr sums, ProfileSumsPtr here)
{
    beginResetModel();
    m_sums = std::move(sums);
    m_here = m_sums ? std::move(here) : nullptr;
    m_cumulative = m_sums ? cumulativeShares(m_sums->profile()) : std::vector<double>();
    m_times = timeColumn(largestTime());
    endResetModel();
}

NodeId ProfileNodeModel::node(int row) const
{
    return m_sums && row >= 0 && row < rowCount() ? m_sums->nodeOf(std::size_t(row)) : NodeId{};
}

int ProfileNodeModel::rowOf(NodeId node) const
{
    const auto row = m_sums ? m_sums->rowOf(node) : std::nullopt;
    return row ? int(*row) : -1;
}

int ProfileNodeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_sums ? 0 : int(m_sums->profile().nodes.size());
}

int ProfileNodeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_here ? ColumnCount : HereColumn;
}

double ProfileNodeModel::meanOf(const ProfiledNode& node) const
{
    return double(node.nanoseconds) / double(std::max<std::int64_t>(m_sums->profile().runs, 1));
}

double ProfileNodeModel::largestTime() const
{
    double largest = 0;
    if (m_sums)
        for (const ProfiledNode& node : m_sums->profile().nodes)
            largest = std::max(largest, meanOf(node));
    return largest;
}

double ProfileNodeModel::hereOf(std::size_t row) const
{
    const NodeId node = m_here ? m_sums->nodeOf(row) : NodeId();
    const auto other = node.isValid() ? m_here->rowOf(node) : std::nullopt;
    if (!other)
        return -1;
    const NodeProfile& here = m_here->profile();
    return double(here.nodes[*other].nanoseconds) / double(std::max<std::int64_t>(here.runs, 1));
}

double ProfileNodeModel::slownessOf(std::size_t row) const
{
    const double here = hereOf(row);
    const double all = double(m_sums->all().nanoseconds);
    if (here <= 0 || all <= 0)
        return -1;
    const double runs = double(std::max<std::int64_t>(m_here->profile().runs, 1));
    const double shareHere = here * runs / double(m_here->all().nanoseconds);
    return double(m_sums->profile().nodes[row].nanoseconds) / all / shareHere;
}

QString ProfileNodeModel::text(const ProfiledNode& node, std::size_t row, int column) const
{
    const double all = double(m_sums->all().nanoseconds);
    switch (column) {
    case OrderColumn: return QString::number(node.order);
    case NodeColumn: return plainText(node.name);
    case OpColumn: return plainText(node.op);
    case TimeColumn: return m_times.text(meanOf(node));
    case SpreadColumn:
        return node.least && node.most
                   ? m_times.text(double(*node.least)) + u" … "_s + m_times.text(double(*node.most))
               : node.least ? u"from "_s + m_times.text(double(*node.least))
                            : QString();
    case ShareColumn:
        return all > 0 ? QString::number(double(node.nanoseconds) / all * 100, 'f', 2) : QString();
    case SumColumn: return QString::number(m_cumulative[row] * 100, 'f', 1);
    case CallsColumn: return exactText(node.calls);
    case RateColumn:
        return node.flops && meanOf(node) > 0
                   ? flopsText(std::int64_t(double(*node.flops) / meanOf(node) * 1e9)) + u"/s"_s
                   : QString();
    case OutputColumn: return plainText(node.output);
    case HereColumn: return hereOf(row) < 0 ? QString() : m_times.text(hereOf(row));
    case SlownessColumn:
        return slownessOf(row) < 0 ? QString() : QString::number(slownessOf(row), 'f', 2);
    default: return bytesText(node.bytes);
    }
}

QVariant ProfileNodeModel::sortKey(const ProfiledNode& node, std::size_t row, int column) const
{
    switch (column) {
    case OrderColumn: return qlonglong(node.order);
    case TimeColumn:
    case ShareColumn: return qlonglong(node.nanoseconds);
    case SpreadColumn: return qlonglong(node.least.value_or(-1));
    case SumColumn: return m_cumulative[row];
    case CallsColumn: return qlonglong(node.calls);
    case RateColumn:
        return node.flops && meanOf(node) > 0 ? double(*node.flops) / meanOf(node) : -1.0;
    case MemoryColumn: return qulonglong(node.bytes);
    case HereColumn: return hereOf(row);
    case SlownessColumn: return slownessOf(row);
    default: return text(node, row, column);
    }
}

QVariant ProfileNodeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_sums)
        return {};
    const auto row = std::size_t(index.row());
    const ProfiledNode& node = m_sums->profile().nodes[row];
    const bool isMatched = m_sums->nodeOf(row).isValid();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return text(node, row, index.column());
    case SortRole: return sortKey(node, row, index.column());
    case Qt::TextAlignmentRole: return columnAlignment(isNumber(index.column()));
    case Qt::ForegroundRole:
        return isMatched ? QVariant()
                         : QBrush(QGuiApplication::palette().color(QPalette::PlaceholderText));
    case Qt::ToolTipRole:
        if (!isMatched && index.column() == NodeColumn)
            return plainText(node.name) + u"\nno node of this graph has this name"_s;
        return text(node, row, index.column());
    default: return {};
    }
}

QVariant ProfileNodeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole) {
        const QString title = titles[std::size_t(section)].text.toString();
        return isTimeColumn(section) ? title.arg(m_times.unit) : title;
    }
    if (role == Qt::ToolTipRole)
        return titles[std::size_t(section)].tip.toString();
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(isNumber(section));
    return {};
}

} // namespace lapidary
