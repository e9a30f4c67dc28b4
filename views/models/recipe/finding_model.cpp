// SPDX-License-Identifier: Apache-2.0
#include "views/models/recipe/finding_model.h"

#include "views/models/display_text.h"

#include <algorithm>
#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void FindingModel::setFindings(GraphPtr graph, const Findings& findings)
{
    beginResetModel();
    m_graph = std::move(graph);
    m_findings.clear();
    for (const bool isMatch : {false, true})
        std::ranges::copy_if(findings, std::back_inserter(m_findings), [&](const Finding& finding) {
            return finding.why.empty() == isMatch && !finding.nodes.empty() &&
                   finding.nodes.front().value < m_graph->size();
        });
    endResetModel();
}

int FindingModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_findings.size());
}

int FindingModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FindingModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const Finding& finding = m_findings[std::size_t(index.row())];
    const Node& head = m_graph->node(finding.nodes.front());
    switch (index.column()) {
    case KindColumn: return finding.why.empty() ? u"rewritten"_s : u"left alone"_s;
    case NodeColumn: return plainText(head.name());
    case OpColumn: return plainText(head.op());
    case WhyColumn:
        return finding.why.empty() ? counted(std::int64_t(finding.nodes.size()), u"node"_s)
                                   : plainText(finding.why);
    default: return {};
    }
}

QVariant FindingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr std::array<QStringView, ColumnCount> titles{u"What", u"Node", u"Op", u"Why"};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return titles[std::size_t(section)].toString();
}

} // namespace lapidary
