// SPDX-License-Identifier: Apache-2.0
#include "views/models/note_model.h"

#include <QPalette>

#include <array>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void NoteModel::setRows(std::vector<NoteRow> rows)
{
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const NoteRow* NoteModel::row(int number) const
{
    return number >= 0 && std::size_t(number) < m_rows.size() ? &m_rows[std::size_t(number)]
                                                              : nullptr;
}

int NoteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int NoteModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant NoteModel::data(const QModelIndex& index, int role) const
{
    const NoteRow* at = row(index.row());
    if (at == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        if (index.column() == BookmarkColumn)
            return at->isBookmark ? u"\u2605"_s : QString();
        return index.column() == PlaceColumn ? at->place : at->text;
    case Qt::AccessibleTextRole:
        if (index.column() == BookmarkColumn)
            return at->isBookmark ? u"bookmark"_s : QString();
        return index.column() == PlaceColumn ? at->place : at->text;
    case Qt::ToolTipRole:
        return at->isThere ? at->place : at->place + u" is not in the graph that is shown"_s;
    case Qt::ForegroundRole:
        return at->isThere ? QVariant()
                           : QVariant(QPalette().brush(QPalette::Disabled, QPalette::Text));
    default: break;
    }
    return {};
}

QVariant NoteModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const std::array<QString, ColumnCount> titles{u"\u2605"_s, u"Node or scope"_s,
                                                         u"Note"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return titles[std::size_t(section)];
    return role == Qt::ToolTipRole && section == BookmarkColumn ? QVariant(u"Bookmarks"_s)
                                                                : QVariant();
}

Qt::ItemFlags NoteModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    return index.column() == TextColumn ? usual | Qt::ItemIsEditable : usual;
}

bool NoteModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const NoteRow* at = row(index.row());
    if (at == nullptr || role != Qt::EditRole || index.column() != TextColumn)
        return false;
    const NoteRow edited = *at; // the slot may replace the rows
    emit textEdited(edited.isScope, edited.place, value.toString());
    return true;
}

} // namespace lapidary
