// SPDX-License-Identifier: Apache-2.0
#include "views/models/diff/difference_model.h"

#include "views/models/display_text.h"

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
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_list ? 0 : int(m_list->steps.size());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_list)
        return {};
    const Difference& difference = m_list->steps[std::size_t(index.row())];
    if (role == KindsRole)
        return uint(difference.kinds);
    if (role == SortRole)
        return index.column() == SignColumn ? QVariant(index.row()) : data(index, Qt::DisplayRole);
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == SignColumn ? Qt::AlignHCenter : Qt::AlignLeft) |
                   Qt::AlignVCenter);
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
