// SPDX-License-Identifier: Apache-2.0
#include "views/models/recipe/recipe_model.h"

#include <QMimeData>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString stepMime = u"application/x-lapidary-recipe-step"_s;

QString statusText(RecipeRow::Status status)
{
    switch (status) {
    case RecipeRow::Status::Off: return u"off"_s;
    case RecipeRow::Status::Pending: return u"not applied"_s;
    case RecipeRow::Status::Waiting: return u"running"_s;
    case RecipeRow::Status::Applied: return u"applied"_s;
    case RecipeRow::Status::Failed: return u"failed"_s;
    case RecipeRow::Status::Blocked: return u"not run, a step before it failed"_s;
    }
    return {};
}

QString spoken(const RecipeRow& row)
{
    QString text = row.pass;
    for (const QString& part : {row.arguments, statusText(row.status), row.count, row.note})
        if (!part.isEmpty())
            text += u", "_s + part;
    return text;
}

} // namespace

void RecipeModel::setRows(std::vector<RecipeRow> rows)
{
    const auto size = [](const auto& list) { return int(list.size()); };
    if (rows.size() > m_rows.size()) {
        beginInsertRows({}, size(m_rows), size(rows) - 1);
        m_rows.resize(rows.size());
        endInsertRows();
    } else if (rows.size() < m_rows.size()) {
        beginRemoveRows({}, size(rows), size(m_rows) - 1);
        m_rows.resize(rows.size());
        endRemoveRows();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (m_rows[i] == rows[i])
            continue;
        m_rows[i] = std::move(rows[i]);
        emit dataChanged(index(int(i)), index(int(i)));
    }
}

int RecipeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant RecipeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || std::size_t(index.row()) >= m_rows.size())
        return {};
    const RecipeRow& row = m_rows[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return row.pass;
    case Qt::ToolTipRole: return row.note.isEmpty() ? row.help : row.help + u'\n' + row.note;
    case Qt::AccessibleTextRole: return spoken(row);
    case Qt::CheckStateRole:
        return row.status == RecipeRow::Status::Off ? Qt::Unchecked : Qt::Checked;
    case StatusRole: return int(row.status);
    case ArgumentsRole: return row.arguments;
    case CountRole: return row.count;
    case NoteRole: return row.note;
    case ProblemRole: return row.isProblem;
    default: return {};
    }
}

bool RecipeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole)
        return false;
    emit switchRequested(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RecipeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
           Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList RecipeModel::mimeTypes() const
{
    return {stepMime};
}

QMimeData* RecipeModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(stepMime, QByteArray::number(indexes.first().row()));
    return data;
}

bool RecipeModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int,
                               const QModelIndex& parent)
{
    bool isNumber = false;
    const int from = data->data(stepMime).toInt(&isNumber);
    if (!isNumber || action != Qt::MoveAction || from < 0 || from >= rowCount())
        return false;
    const int before = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    const int to = std::clamp(before > from ? before - 1 : before, 0, rowCount() - 1);
    if (to != from)
        emit moveRequested(from, to);
    return false; // otherwise the view would remove the dragged row
}

} // namespace lapidary
