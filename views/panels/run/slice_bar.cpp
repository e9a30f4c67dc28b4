// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/slice_bar.h"

#include "views/panels/base/tensor_figures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastOfField = 56; // width of each field if several axes share little space

QComboBox* axisField(const QString& name, const QString& title, QWidget* parent)
{
    auto* field = new QComboBox(parent);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(title);
    field->setMinimumWidth(leastOfField);
    return field;
}

} // namespace

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent)
    , m_rows(axisField(u"sliceRows"_s, u"Axis of the rows"_s, this))
    , m_columns(axisField(u"sliceColumns"_s, u"Axis of the columns"_s, this))
    , m_places(new QHBoxLayout)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    QLabel* down = plainLabel(this, true);
    down->setText(u"rows"_s);
    QLabel* across = plainLabel(this, true);
    across->setText(u"columns"_s);
    row->addWidget(down);
    row->addWidget(m_rows);
    row->addWidget(across);
    row->addWidget(m_columns);
    row->addLayout(m_places);
    connect(m_rows, &QComboBox::activated, this, [this](int at) { choose(true, at); });
    connect(m_columns, &QComboBox::activated, this, [this](int at) { choose(false, at); });
}

void SliceBar::setSlice(const Shape& shape, const TensorSlice& slice)
{
    if (m_shape == shape && m_slice == slice && !m_fields.empty())
        return;
    m_shape = shape;
    m_slice = slice;
    m_slice.at.resize(shape.dims.size(), 0);
    build();
}

void SliceBar::build()
{
    const int rank = int(m_shape.dims.size());
    for (QComboBox* field : {m_rows, m_columns}) {
        const QSignalBlocker blocker(field);
        field->clear();
        for (int axis = 0; axis < rank; ++axis)
            field->addItem(u"%1 (%2)"_s.arg(axis).arg(m_shape.dims[std::size_t(axis)]));
        field->setCurrentIndex(field == m_rows ? m_slice.rows : m_slice.columns);
    }
    for (QSpinBox* field : m_fields)
        field->deleteLater();
    m_fields.clear();
    for (int axis = 0; axis < rank; ++axis) {
        if (axis == m_slice.rows || axis == m_slice.columns)
            continue;
        auto* field = new QSpinBox(this);
        const std::int64_t last = std::max<std::int64_t>(m_shape.dims[std::size_t(axis)] - 1, 0);
        field->setObjectName(u"slicePlace%1"_s.arg(axis));
        field->setAccessibleName(u"Place on axis %1"_s.arg(axis));
        field->setToolTip(u"Place on axis %1, 0 to %2"_s.arg(axis).arg(last));
        field->setMinimumWidth(leastOfField);
        field->setPrefix(u"%1: "_s.arg(axis));
        field->setRange(0, int(std::min<std::int64_t>(last, std::numeric_limits<int>::max())));
        field->setValue(int(m_slice.at[std::size_t(axis)]));
        m_places->addWidget(field);
        m_fields.push_back(field);
        connect(field, &QSpinBox::valueChanged, this, [this, axis](int place) {
            m_slice.at[std::size_t(axis)] = place;
            emit chosen(m_slice);
        });
    }
}

void SliceBar::choose(bool isRows, int axis)
{
    int& mine = isRows ? m_slice.rows : m_slice.columns;
    int& other = isRows ? m_slice.columns : m_slice.rows;
    if (other == axis) // the axes are exchanged
        other = mine;
    mine = axis;
    build();
    emit chosen(m_slice);
}

} // namespace lapidary
