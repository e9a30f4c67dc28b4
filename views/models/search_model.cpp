// SPDX-License-Identifier: Apache-2.0
#include "views/models/search_model.h"

#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QStringList partsOf(const Node& node)
{
    return plainText(node.name()).split(u'/');
}

bool endsWithOp(const QStringList& parts, const Node& node)
{
    return parts.size() > 1 &&
           parts.constLast().compare(plainText(node.op()), Qt::CaseInsensitive) == 0;
}

QString withTimes(std::string_view sizes)
{
    return plainText(sizes).replace(u'x', u'\u00D7');
}

} // namespace

void SearchModel::setAnswer(SearchIndexPtr index, const ScopeTreePtr& tree,
                            const SearchAnswer& answer)
{
    beginResetModel();
    m_index = std::move(index);
    m_answer = m_index ? answer : SearchAnswer();
    if (tree)
        std::ranges::stable_sort(m_answer.hits, {},
                                 [&](const SearchHit& hit) { return tree->parentOf(hit.node); });
    findCommon();
    findVarying();
    endResetModel();
}

// Every hit keeps at least one part of its name.
void SearchModel::findCommon()
{
    m_commonScope.clear();
    m_commonParts = 0;
    m_endsWithOp = hitCount() > 1;
    QStringList common;
    for (std::size_t i = 0; i < m_answer.hits.size(); ++i) {
        const Node& node = m_index->graph()->node(m_answer.hits[i].node);
        const QStringList parts = partsOf(node);
        m_endsWithOp = m_endsWithOp && endsWithOp(parts, node);
        if (i == 0)
            common = parts;
        common.resize(std::min(common.size(), parts.size() - 1));
        qsizetype same = 0;
        while (same < common.size() && common[same] == parts[same])
            ++same;
        common.resize(same);
    }
    if (hitCount() < 2)
        return;
    const auto tooShort = [&](const SearchHit& hit) {
        return partsOf(m_index->graph()->node(hit.node)).size() - 1 <= common.size();
    };
    if (m_endsWithOp && std::ranges::any_of(m_answer.hits, tooShort))
        m_endsWithOp = false;
    m_commonParts = common.size();
    m_commonScope = common.join(u'/');
}

// Scopes that are the same in all names at an index matter less than those that vary.
void SearchModel::findVarying()
{
    m_varies.clear();
    QStringList first;
    for (int number = 0; number < hitCount(); ++number) {
        QStringList scopes = parts(number);
        scopes.removeLast();
        for (qsizetype i = 0; i < scopes.size(); ++i) {
            if (i == first.size()) {
                first.append(scopes[i]);
                m_varies.push_back(false);
            }
            if (scopes[i] != first[i])
                m_varies[std::size_t(i)] = true;
        }
    }
}

QStringList SearchModel::parts(int number) const
{
    QStringList parts = partsOf(m_index->graph()->node(hit(number)));
    if (m_endsWithOp)
        parts.removeLast();
    return parts.mid(m_commonParts);
}

ListName SearchModel::name(int number) const
{
    const QStringList own = parts(number);
    const QStringList before = number > 0 ? parts(number - 1) : own;
    const QStringList after = number + 1 < hitCount() ? parts(number + 1) : own;
    ListName name;
    for (qsizetype i = 0; i < own.size(); ++i) {
        const bool differs = before.value(i) != own[i] || after.value(i) != own[i];
        const bool varies = std::size_t(i) < m_varies.size() && m_varies[std::size_t(i)];
        name.push_back({own[i], differs  ? ListNamePart::Worth::Differs
                                : varies ? ListNamePart::Worth::Varies
                                         : ListNamePart::Worth::Common});
    }
    return name;
}

int SearchModel::numberOf(NodeId node) const
{
    const auto found = std::ranges::find(m_answer.hits, node, &SearchHit::node);
    return found == m_answer.hits.end() ? -1 : int(found - m_answer.hits.begin());
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : hitCount();
}

int SearchModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SearchModel::detail(const SearchHit& hit) const
{
    QStringList texts;
    const std::string_view filter = m_index->filterSizes(hit.node);
    if (const std::string_view sizes = filter.empty() ? m_index->sizes(hit.node) : filter;
        !sizes.empty())
        texts.append(withTimes(sizes));
    for (const std::string& asked : m_answer.askedFor(hit.node))
        if (const QString text = plainText(asked); !texts.contains(text))
            texts.append(text);
    return texts.join(u" \u00B7 "_s);
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const SearchHit& hit = m_answer.hits[std::size_t(index.row())];
    const Node& node = m_index->graph()->node(hit.node);
    if (role == Qt::ToolTipRole)
        return u"%1\n%2  %3"_s.arg(plainText(node.name()), plainText(node.op()), detail(hit));
    if (role == Qt::AccessibleTextRole && index.column() == NameColumn)
        return plainText(node.name());
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (index.column()) {
    case NameColumn: return parts(index.row()).join(u'/');
    case OpColumn: return plainText(node.op());
    default: return detail(hit);
    }
}

} // namespace lapidary
