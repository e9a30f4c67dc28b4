// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/picture_list_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"

#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString answerText(const ScoredLabel& answer)
{
    return answer.label.empty() ? QString::number(answer.index) : plainText(answer.label);
}

} // namespace

void PictureListModel::setFound(FolderEvaluationPtr found)
{
    beginResetModel();
    m_found = std::move(found);
    endResetModel();
}

const Sample* PictureListModel::sample(int row) const
{
    return m_found && row >= 0 && std::size_t(row) < m_found->classes.samples.size()
               ? &m_found->classes.samples[std::size_t(row)]
               : nullptr;
}

bool PictureListModel::isWrong(int row) const
{
    const Sample* at = sample(row);
    return at != nullptr && at->truth >= 0 && at->truth != answer(row);
}

bool PictureListModel::areDifferent(int row) const
{
    return sample(row) != nullptr && m_found->other &&
           m_found->other->best[std::size_t(row)].index != answer(row);
}

int PictureListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_found ? 0 : int(m_found->classes.samples.size());
}

int PictureListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString PictureListModel::textOf(std::size_t row, int column) const
{
    const Sample& picture = m_found->classes.samples[row];
    switch (column) {
    case FileColumn: return plainText(picture.file);
    case ClassColumn:
        return picture.truth < 0 ? QString()
                                 : plainText(m_found->classes.labels[std::size_t(picture.truth)]);
    case AnswerColumn: return answerText(m_found->first.best[row]);
    case ScoreColumn: return valueText(double(m_found->first.best[row].score), 4);
    default: break;
    }
    return m_found->other ? answerText(m_found->other->best[row]) : QString();
}

QVariant PictureListModel::data(const QModelIndex& index, int role) const
{
    const Sample* at = sample(index.row());
    if (at == nullptr)
        return {};
    const auto row = std::size_t(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(row, index.column());
    case SortRole:
        return index.column() == ScoreColumn ? QVariant(m_found->first.best[row].score)
                                             : QVariant(textOf(row, index.column()));
    case Qt::ToolTipRole:
        return index.column() == FileColumn ? plainText(at->path) : textOf(row, index.column());
    case Qt::TextAlignmentRole: return columnAlignment(index.column() == ScoreColumn);
    case Qt::AccessibleTextRole:
        return isWrong(index.row()) && index.column() == AnswerColumn
                   ? textOf(row, index.column()) + u", wrong"_s
                   : textOf(row, index.column());
    default: break;
    }
    return {};
}

QVariant PictureListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const std::array<QString, ColumnCount> titles{u"Picture"_s, u"Class"_s, u"Answer"_s,
                                                         u"Score"_s, u"Other state"_s};
    static const std::array<QString, ColumnCount> tips{
        u"A click feeds it to the first input"_s, u"The true class"_s,
        u"The class that the graph predicts"_s, u"Of the answer"_s,
        u"The class that the compared state predicts"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return titles[std::size_t(section)];
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(section == ScoreColumn);
    return role == Qt::ToolTipRole ? QVariant(tips[std::size_t(section)]) : QVariant();
}

PictureFilter::PictureFilter(PictureListModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model)
{
    setSourceModel(&model);
    setSortRole(PictureListModel::SortRole);
}

void PictureFilter::setKind(Kind kind)
{
    m_kind = kind;
    invalidateFilter();
}

void PictureFilter::setCell(std::optional<Cell> cell)
{
    m_cell = cell;
    invalidateFilter();
}

bool PictureFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const Sample* picture = parent.isValid() ? nullptr : m_model.sample(row);
    if (picture == nullptr)
        return false;
    if (m_cell && (picture->truth != m_cell->first || m_model.answer(row) != m_cell->second))
        return false;
    switch (m_kind) {
    case WrongKind: return m_model.isWrong(row);
    case DifferentKind: return m_model.areDifferent(row);
    case AllKind: break;
    }
    return true;
}

} // namespace lapidary
