// SPDX-License-Identifier: Apache-2.0
#include "views/models/tensor_table_model.h"

#include "views/models/column_alignment.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::int64_t pieceSize = 4096;
constexpr std::int64_t rowLimit = 10'000'000;
constexpr std::int64_t columnLimit = 100'000;

} // namespace

TensorTableModel::TensorTableModel(Tensor tensor, QObject* parent)
    : QAbstractTableModel(parent)
    , m_tensor(std::move(tensor))
{
    const std::vector<std::int64_t>& dims = m_tensor.shape().dims;
    m_columns = dims.empty() ? 1 : dims.back();
    m_rows = m_columns > 0 ? m_tensor.elements() / m_columns : 0;
    if (m_rows > rowLimit || m_columns > columnLimit)
        m_note = u"Only the first %1 rows and %2 columns are shown"_s.arg(exactText(rowLimit),
                                                                          exactText(columnLimit));
    if (withoutReference(m_tensor.dtype()) == DType::String)
        loadStrings();
}

void TensorTableModel::loadStrings()
{
    auto strings = m_tensor.strings();
    if (strings)
        m_strings = *std::move(strings);
    else
        m_note = plainText(strings.error().message);
}

int TensorTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(std::min(m_rows, rowLimit));
}

int TensorTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(std::min(m_columns, columnLimit));
}

QString TensorTableModel::valueAt(std::int64_t element) const
{
    if (!m_strings.empty())
        return std::size_t(element) < m_strings.size() ? plainText(m_strings[std::size_t(element)])
                                                       : QString();
    const std::int64_t begin = element / pieceSize * pieceSize;
    if (m_piece.empty() || begin != m_pieceBegin) {
        auto read = m_tensor.numbers(begin, std::min(begin + pieceSize, m_tensor.elements()));
        m_piece = read ? std::move(read).value() : std::vector<double>();
        m_pieceBegin = begin;
    }
    const std::size_t at = std::size_t(element - begin);
    return at < m_piece.size() ? valueText(m_piece[at]) : u"\u2013"_s;
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(m_strings.empty());
    if (role != Qt::DisplayRole)
        return {};
    return valueAt(std::int64_t(index.row()) * m_columns + index.column());
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return columnAlignment(orientation == Qt::Vertical || m_strings.empty());
    if (role != Qt::DisplayRole)
        return {};
    const std::vector<std::int64_t>& dims = m_tensor.shape().dims;
    if (orientation == Qt::Horizontal || dims.size() <= 2)
        return QString::number(section);
    // The index in all dimensions but the last: "2, 0, 1".
    QStringList parts;
    std::int64_t rest = section;
    for (std::size_t i = dims.size() - 1; i-- > 0;) {
        parts.prepend(QString::number(rest % std::max<std::int64_t>(dims[i], 1)));
        rest /= std::max<std::int64_t>(dims[i], 1);
    }
    return parts.join(u", "_s);
}

} // namespace lapidary
