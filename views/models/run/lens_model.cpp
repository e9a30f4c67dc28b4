// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/lens_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/recipe/autopilot_text.h"

#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Title {
    QString text;
    QString tip;
};

const std::array<Title, LensModel::ColumnCount>& titles()
{
    static const std::array<Title, LensModel::ColumnCount> all{{
        {u"#"_s, u"Order of execution"_s},
        {u"Tensor"_s, u"Name in the changed graph"_s},
        {u"SQNR"_s, u"10 log10 of the squares of the original over those of the difference, dB"_s},
        {u"Max error"_s, u"Largest difference of an element"_s},
        {u"RMS error"_s, u"Root of the mean square of the differences"_s},
        {u"Cosine"_s, u"Of the angle between the two"_s},
        {u"Saturated"_s, u"Elements clipped to an end of the range"_s},
        {u"Scale"_s, u"Difference of two adjacent 8-bit codes"_s},
        {u"Zero point"_s, u"The code for 0"_s},
        {u"Codes"_s, u"How many of the 256 codes the tensor holds"_s},
    }};
    return all;
}

std::optional<double> numberOf(const VerifiedPair& pair, int column)
{
    const TensorAgreement& agreement = pair.agreement;
    switch (column) {
    case LensModel::SqnrColumn: return agreement.sqnrDb;
    case LensModel::MostColumn: return agreement.maxAbs;
    case LensModel::MeanColumn: return std::sqrt(agreement.meanSquared);
    case LensModel::CosineColumn: return agreement.cosine;
    // If a factor is undone later, the ends of the range have no meaning for the original.
    case LensModel::SaturatedColumn:
        return pair.isUndone ? std::nullopt : std::optional(agreement.saturated);
    case LensModel::ScaleColumn:
        return pair.codes ? std::optional(pair.codes->scale) : std::nullopt;
    case LensModel::ZeroColumn:
        return pair.codes ? std::optional(double(pair.codes->zeroPoint)) : std::nullopt;
    case LensModel::CodesColumn:
        return pair.codes && pair.codes->used > 0 ? std::optional(double(pair.codes->used))
                                                  : std::nullopt;
    default: break;
    }
    return {};
}

QString textOf(double number, int column)
{
    switch (column) {
    case LensModel::SqnrColumn: return decibelText(number);
    case LensModel::CosineColumn: return QString::number(number, 'f', 6);
    case LensModel::SaturatedColumn: return u"%1 %"_s.arg(100 * number, 0, 'f', 2);
    case LensModel::ZeroColumn:
    case LensModel::CodesColumn: return QString::number(std::int64_t(number));
    default: break;
    }
    return valueText(number, 4);
}

// Returns the figures for which a narrow table has no column.
QString tipOf(const VerifiedPair& pair)
{
    QString tip = QString::number(pair.agreement.sqnrDb, 'g', 17) + u" dB"_s;
    if (pair.isUndone)
        tip += u"\nA consumer undoes the difference, as after a fold"_s;
    for (const int column : {LensModel::MostColumn, LensModel::MeanColumn, LensModel::CosineColumn})
        if (const auto number = numberOf(pair, column))
            tip += u'\n' + titles()[std::size_t(column)].text + u' ' + textOf(*number, column);
    return tip;
}

} // namespace

void LensModel::setFound(std::shared_ptr<const Verification> found)
{
    beginResetModel();
    m_found = std::move(found);
    endResetModel();
}

bool LensModel::hasCodes() const
{
    return m_found && std::ranges::any_of(m_found->pairs, [](const VerifiedPair& pair) {
               return pair.codes.has_value();
           });
}

const VerifiedPair* LensModel::pair(int row) const
{
    return m_found && row >= 0 && std::size_t(row) < m_found->pairs.size()
               ? &m_found->pairs[std::size_t(row)]
               : nullptr;
}

int LensModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_found ? 0 : int(m_found->pairs.size());
}

int LensModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LensModel::data(const QModelIndex& index, int role) const
{
    const VerifiedPair* at = pair(index.row());
    if (at == nullptr)
        return {};
    const auto number = numberOf(*at, index.column());
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == OrderColumn)
            return index.row() + 1;
        if (index.column() == TensorColumn)
            return plainText(at->b);
        return number ? textOf(*number, index.column()) : QString();
    case SortRole:
        if (index.column() == OrderColumn)
            return index.row();
        if (index.column() == TensorColumn)
            return plainText(at->b);
        return number ? QVariant(*number) : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == SqnrColumn)
            return tipOf(*at);
        if (number)
            return QString::number(*number, 'g', 17);
        return index.column() == TensorColumn ? plainText(at->a + " \u2192 " + at->b) : QString();
    case Qt::ForegroundRole:
        return at->isUndone ? QVariant(QPalette().brush(QPalette::Disabled, QPalette::Text))
                            : QVariant();
    case Qt::TextAlignmentRole: return columnAlignment(index.column() != TensorColumn);
    default: break;
    }
    return {};
}

QVariant LensModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const Title& title = titles()[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return title.text;
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(section != TensorColumn);
    return role == Qt::ToolTipRole ? title.tip : QVariant();
}

} // namespace lapidary
