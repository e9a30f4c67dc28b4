// SPDX-License-Identifier: Apache-2.0
#include "views/models/fact_model.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool hasKeys(const FactSection& section)
{
    return std::any_of(section.facts.begin(), section.facts.end(),
                       [](const Fact& fact) { return !fact.key.isEmpty(); });
}

} // namespace

void FactModel::setSections(FactSections sections)
{
    beginResetModel();
    m_sections = std::move(sections);
    endResetModel();
}

const Fact* FactModel::fact(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == topLevel)
        return nullptr;
    return &m_sections[std::size_t(index.internalId())].facts[std::size_t(index.row())];
}

QString FactModel::rowText(const QModelIndex& index) const
{
    const Fact* entry = fact(index);
    if (entry == nullptr)
        return index.isValid() ? m_sections[std::size_t(index.row())].title : QString();
    QString text = entry->key.isEmpty() ? entry->value : entry->key + u": "_s + entry->value;
    if (!entry->detail.isEmpty())
        text += u" ("_s + entry->detail + u")"_s;
    return text;
}

QModelIndex FactModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) : topLevel);
}

QModelIndex FactModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == topLevel)
        return {};
    return createIndex(int(child.internalId()), 0, topLevel);
}

int FactModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return int(m_sections.size());
    if (parent.column() > 0 || parent.internalId() != topLevel)
        return 0;
    return int(m_sections[std::size_t(parent.row())].facts.size());
}

int FactModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant FactModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Fact* entry = fact(index);
    if (role == IsHeadingRole)
        return entry == nullptr;
    if (entry == nullptr) {
        const FactSection& section = m_sections[std::size_t(index.row())];
        if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
            return {};
        return index.column() == KeyColumn      ? QVariant(section.title)
               : index.column() == DetailColumn ? QVariant(section.detail)
                                                : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == KeyColumn     ? entry->key
               : index.column() == ValueColumn ? entry->value
                                               : entry->detail;
    case Qt::AccessibleTextRole: return rowText(index);
    case Qt::ToolTipRole: return entry->tip.isEmpty() ? rowText(index) : entry->tip;
    case IsLinkRole: return entry->link.kind != FactLink::Kind::None;
    case HasKeysRole: return hasKeys(m_sections[std::size_t(index.internalId())]);
    default: return {};
    }
}

} // namespace lapidary
