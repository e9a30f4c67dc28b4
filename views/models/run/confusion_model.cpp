// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/confusion_model.h"

#include "views/models/display_text.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void ConfusionModel::setFound(std::shared_ptr<const FolderEvaluation> found)
{
    beginResetModel();
    m_found = std::move(found);
    m_confusion = m_found ? confusionOf(m_found->classes.samples, m_found->first) : Confusion();
    endResetModel();
}

int ConfusionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_confusion.classes.size());
}

int ConfusionModel::columnCount(const QModelIndex& parent) const
{
    return rowCount(parent);
}

QString ConfusionModel::nameOf(int place) const
{
    const std::int64_t index = classAt(place);
    const auto& labels = m_found->classes.labels;
    return index >= 0 && std::size_t(index) < labels.size() ? plainText(labels[std::size_t(index)])
                                                            : QString::number(index);
}

std::size_t ConfusionModel::rowSum(int row) const
{
    std::size_t sum = 0;
    for (std::size_t i = 0; i < m_confusion.classes.size(); ++i)
        sum += m_confusion.count(std::size_t(row), i);
    return sum;
}

QVariant ConfusionModel::data(const QModelIndex& index, int role) const
{
    const int places = int(m_confusion.classes.size());
    if (!index.isValid() || index.row() >= places || index.column() >= places)
        return {};
    const std::size_t count =
        m_confusion.count(std::size_t(index.row()), std::size_t(index.column()));
    switch (role) {
    case Qt::DisplayRole: return count > 0 ? QString::number(count) : QString();
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return u"%1 of class %2 classified as %3"_s.arg(counted(std::int64_t(count), u"picture"_s),
                                                        nameOf(index.row()),
                                                        nameOf(index.column()));
    case Qt::TextAlignmentRole: return int(Qt::AlignCenter);
    case ShareRole: return shareOf(count, rowSum(index.row()));
    case IsRightRole: return index.row() == index.column();
    default: break;
    }
    return {};
}

QVariant ConfusionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || section >= rowCount())
        return {};
    if (role == Qt::DisplayRole)
        return nameOf(section);
    if (role != Qt::ToolTipRole)
        return {};
    return (orientation == Qt::Vertical ? u"Pictures of class %1"_s : u"Answers %1"_s)
        .arg(nameOf(section));
}

} // namespace lapidary
