// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/sensitivity_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/models/recipe/autopilot_text.h"

#include <array>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isText(int column)
{
    return column == SensitivityModel::LayerColumn || column == SensitivityModel::OpColumn;
}

} // namespace

void SensitivityModel::setFound(SensitivityPtr found)
{
    beginResetModel();
    m_found = std::move(found);
    endResetModel();
}

const SensitiveLayer* SensitivityModel::layer(int row) const
{
    return m_found && row >= 0 && std::size_t(row) < m_found->layers.size()
               ? &m_found->layers[std::size_t(row)]
               : nullptr;
}

int SensitivityModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_found ? 0 : int(m_found->layers.size());
}

int SensitivityModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SensitivityModel::textOf(const SensitiveLayer& layer, int row, int column) const
{
    switch (column) {
    case OrderColumn: return QString::number(row + 1);
    case LayerColumn: return plainText(layer.original);
    case OpColumn: return plainText(layer.op);
    case SqnrColumn: return decibelText(layer.noise.sqnrDb());
    case ShareColumn: return shareText(m_found->shareOf(layer));
    default: break;
    }
    if (layer.noise.top1 && m_found->probes == 1)
        return *layer.noise.top1 > 0 ? u"yes"_s : u"no"_s;
    return layer.noise.top1 ? u"%1 %"_s.arg(100 * *layer.noise.top1, 0, 'f', 1) : QString();
}

QVariant SensitivityModel::keyOf(const SensitiveLayer& layer, int row, int column) const
{
    switch (column) {
    case OrderColumn: return row;
    case SqnrColumn: return layer.noise.sqnrDb();
    case ShareColumn: return m_found->shareOf(layer);
    case AgreementColumn: return layer.noise.top1 ? QVariant(*layer.noise.top1) : QVariant();
    default: break;
    }
    return textOf(layer, row, column);
}

QVariant SensitivityModel::data(const QModelIndex& index, int role) const
{
    const SensitiveLayer* at = layer(index.row());
    if (at == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole: return textOf(*at, index.row(), index.column());
    case SortRole: return keyOf(*at, index.row(), index.column());
    case Qt::ToolTipRole:
        return index.column() == LayerColumn && at->name != at->original
                   ? plainText(at->original + " \u2192 " + at->name)
                   : textOf(*at, index.row(), index.column());
    case Qt::TextAlignmentRole: return columnAlignment(!isText(index.column()));
    default: break;
    }
    return {};
}

QVariant SensitivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const std::array<std::pair<QString, QString>, ColumnCount> titles{{
        {u"#"_s, u"Order of execution"_s},
        {u"Layer"_s, u"The convolution or product"_s},
        {u"Op"_s, u"Its operation"_s},
        {u"SQNR"_s, u"At the outputs when this layer alone is stored so: 10 log10 of the squares "
                    "of the outputs over those of the difference, dB"_s},
        {u"Noise"_s, u"Its share of the noise of all layers"_s},
        {u"Agreement"_s, u"Inputs with the same best class"_s},
    }};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const auto& title = titles[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return title.first;
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(!isText(section));
    return role == Qt::ToolTipRole ? title.second : QVariant();
}

} // namespace lapidary
