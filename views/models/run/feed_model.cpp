// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/feed_model.h"

#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString& cell(const FeedRow& row, int column)
{
    switch (column) {
    case FeedModel::InputColumn: return row.tensor;
    case FeedModel::TypeColumn: return row.takes;
    case FeedModel::SizeColumn: return row.size;
    case FeedModel::SourceColumn: return row.words;
    default: break;
    }
    return row.says;
}

QString fedText(const FeedRow& row)
{
    if (row.says.isEmpty())
        return u"\u2026"_s; // the source is being tried
    return row.isWrong ? u"\u26a0 "_s + row.says : row.says;
}

} // namespace

void FeedModel::setRows(std::vector<FeedRow> rows)
{
    const bool isSame = std::ranges::equal(rows, m_rows, {}, &FeedRow::tensor, &FeedRow::tensor);
    if (!isSame) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == m_rows[i])
            continue;
        m_rows[i] = std::move(rows[i]);
        emit dataChanged(index(int(i), 0), index(int(i), ColumnCount - 1));
    }
}

const FeedRow* FeedModel::row(int number) const
{
    return number >= 0 && std::size_t(number) < m_rows.size() ? &m_rows[std::size_t(number)]
                                                              : nullptr;
}

int FeedModel::rowOf(const QString& tensor) const
{
    const auto found = std::ranges::find(m_rows, tensor, &FeedRow::tensor);
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

int FeedModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int FeedModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FeedModel::data(const QModelIndex& index, int role) const
{
    const FeedRow* at = row(index.row());
    if (at == nullptr)
        return {};
    const bool isFed = index.column() == FedColumn;
    switch (role) {
    case Qt::DisplayRole: return isFed ? fedText(*at) : cell(*at, index.column());
    case SecondLineRole:
        return index.column() == InputColumn    ? at->takes
               : index.column() == SourceColumn ? fedText(*at)
                                                : QString();
    case WrongRole: return at->isWrong && index.column() == SourceColumn;
    case Qt::EditRole: return cell(*at, index.column());
    case Qt::ToolTipRole: return cell(*at, index.column());
    default: break;
    }
    return {};
}

QVariant FeedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const std::array<QString, ColumnCount> titles{u"Input"_s, u"Type"_s, u"Size"_s,
                                                         u"Source"_s, u"What is fed"_s};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= ColumnCount)
        return {};
    return titles[std::size_t(section)];
}

Qt::ItemFlags FeedModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDropEnabled;
    if (index.column() == SizeColumn || index.column() == SourceColumn)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool FeedModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const FeedRow* at = row(index.row());
    if (role != Qt::EditRole || at == nullptr)
        return false;
    const QString tensor = at->tensor; // the slot may remove the row
    const QString text = value.toString().trimmed();
    if (text == cell(*at, index.column()))
        return true;
    if (index.column() == SourceColumn)
        emit wordsEdited(tensor, text);
    else if (index.column() == SizeColumn)
        emit sizeEdited(tensor, text);
    return true;
}

QStringList FeedModel::mimeTypes() const
{
    return {u"text/uri-list"_s};
}

bool FeedModel::dropMimeData(const QMimeData* data, Qt::DropAction, int number, int,
                             const QModelIndex& parent)
{
    const FeedRow* at = row(parent.isValid() ? parent.row() : number);
    if (at == nullptr || !data->hasUrls() || !data->urls().front().isLocalFile())
        return false;
    emit fileDropped(at->tensor, data->urls().front().toLocalFile());
    return true;
}

} // namespace lapidary
