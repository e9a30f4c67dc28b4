// SPDX-License-Identifier: Apache-2.0
#include "views/models/recipe/point_layer_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/models/recipe/autopilot_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool holdsNumbers(int column)
{
    return column == PointLayerModel::BytesColumn || column == PointLayerModel::ShareColumn;
}

} // namespace

void PointLayerModel::setPoint(std::optional<AutopilotPoint> point)
{
    beginResetModel();
    m_point = std::move(point);
    m_noise = 0;
    if (m_point)
        for (const LayerCost& cost : m_point->costs)
            m_noise += cost.noise;
    endResetModel();
}

int PointLayerModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_point)
        return 0;
    return int(std::min(m_point->layers.size(), m_point->costs.size()));
}

int PointLayerModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

double PointLayerModel::shareOf(std::size_t layer) const
{
    return m_noise > 0 ? m_point->costs[layer].noise / m_noise : 0;
}

QString PointLayerModel::textOf(std::size_t layer, int column) const
{
    switch (column) {
    case LayerColumn: return plainText(m_point->layers[layer].first);
    case FormColumn: return formText(m_point->layers[layer].second);
    case BytesColumn: return bytesText(std::uint64_t(m_point->costs[layer].bytes));
    default: break;
    }
    return m_point->layers[layer].second == LayerForm::Float ? QString()
                                                             : shareText(shareOf(layer));
}

QVariant PointLayerModel::keyOf(std::size_t layer, int column) const
{
    switch (column) {
    case LayerColumn: return int(layer);
    case FormColumn: return int(m_point->layers[layer].second);
    case BytesColumn: return qlonglong(m_point->costs[layer].bytes);
    default: break;
    }
    return shareOf(layer);
}

QVariant PointLayerModel::data(const QModelIndex& index, int role) const
{
    if (index.row() < 0 || index.row() >= rowCount())
        return {};
    const auto layer = std::size_t(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(layer, index.column());
    case SortRole: return keyOf(layer, index.column());
    case Qt::ToolTipRole:
        return index.column() == BytesColumn ? exactText(m_point->costs[layer].bytes)
                                             : textOf(layer, index.column());
    case Qt::TextAlignmentRole: return columnAlignment(holdsNumbers(index.column()));
    default: break;
    }
    return {};
}

QVariant PointLayerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const std::array<std::pair<QString, QString>, ColumnCount> titles{{
        {u"Layer"_s, u"The convolution or product"_s},
        {u"Form"_s, u"How its weights are stored"_s},
        {u"Bytes"_s, u"Their bytes in the file, with the nodes that hold them"_s},
        {u"Noise"_s, u"Its share of the noise of all layers at the outputs"_s},
    }};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const auto& title = titles[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return title.first;
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(holdsNumbers(section));
    return role == Qt::ToolTipRole ? title.second : QVariant();
}

} // namespace lapidary
