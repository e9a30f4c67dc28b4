// SPDX-License-Identifier: Apache-2.0
#include "views/models/problem_model.h"

#include "views/models/display_text.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString severityText(Severity severity)
{
    switch (severity) {
    case Severity::Note: return u"Note"_s;
    case Severity::Warning: return u"Warning"_s;
    case Severity::Error: return u"Error"_s;
    }
    return {};
}

QString cellText(const Problem& problem, int column)
{
    switch (column) {
    case ProblemModel::SeverityColumn: return severityText(problem.severity);
    case ProblemModel::NodeColumn: return plainText(problem.node);
    case ProblemModel::MessageColumn: return plainText(problem.message);
    case ProblemModel::PlaceColumn: return problemPlace(problem);
    case ProblemModel::KindColumn: return plainText(problem.kind);
    default: return {};
    }
}

} // namespace

QString problemPlace(const Problem& problem)
{
    if (problem.line)
        return problem.column ? u"line %1, column %2"_s.arg(*problem.line).arg(*problem.column)
                              : u"line %1"_s.arg(*problem.line);
    return problem.offset ? u"byte "_s + exactText(std::int64_t(*problem.offset)) : QString();
}

void ProblemModel::setProblems(ProblemsPtr problems)
{
    if (problems == m_problems)
        return;
    beginResetModel();
    m_problems = std::move(problems);
    m_rows.resize(m_problems->size());
    std::iota(m_rows.begin(), m_rows.end(), 0);
    std::ranges::stable_sort(m_rows, std::ranges::greater(),
                             [this](std::uint32_t at) { return int((*m_problems)[at].severity); });
    endResetModel();
}

QString problemCounts(const Problems& problems)
{
    const auto errors = std::ranges::count(problems, Severity::Error, &Problem::severity);
    const std::int64_t others = std::ssize(problems) - errors;
    QStringList parts;
    if (errors > 0)
        parts.append(counted(errors, u"error"_s));
    if (others > 0)
        parts.append(counted(others, u"remark"_s));
    return parts.join(u", "_s);
}

int ProblemModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ProblemModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Problem& entry = problem(index.row());
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return cellText(entry, index.column());
    if (role == Qt::AccessibleTextRole)
        return cellText(entry, index.column());
    if (role == Qt::UserRole)
        return int(entry.severity);
    return {};
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr std::array<QStringView, ColumnCount> titles{u"Severity", u"Node", u"Problem",
                                                                 u"Place", u"Kind"};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return titles[std::size_t(section)].toString();
}

} // namespace lapidary
