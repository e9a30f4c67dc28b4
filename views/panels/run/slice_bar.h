// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/slice.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;
class QSpinBox;

namespace lapidary {

// Chooses the axes of a tensor that are the rows and columns of its table, and the indices on the
// other axes.
class SliceBar : public QWidget {
    Q_OBJECT
public:
    explicit SliceBar(QWidget* parent = nullptr);
    void setSlice(const Shape& shape, const TensorSlice& slice);

signals:
    void chosen(const lapidary::TensorSlice& slice);

private:
    void build();
    void choose(bool isRows, int axis);

    Shape m_shape;
    TensorSlice m_slice;
    QComboBox* m_rows;
    QComboBox* m_columns;
    QHBoxLayout* m_places; // a field for every other axis
    std::vector<QSpinBox*> m_fields;
};

} // namespace lapidary
