// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/statistics.h"

#include <QWidget>

class QLabel;

namespace lapidary {

// Range, mean, zeros and non-finite values of a tensor, one a line.
class TensorFigures : public QWidget {
    Q_OBJECT
public:
    explicit TensorFigures(QWidget* parent = nullptr);
    void setStatistics(const TensorStatistics& statistics);

private:
    QLabel* m_range = nullptr;
    QLabel* m_mean = nullptr;
    QLabel* m_zeros = nullptr;
    QLabel* m_odd = nullptr;
};

// Returns a label of plain text, which can be selected and copied if it is not muted.
QLabel* plainLabel(QWidget* parent, bool isMuted);

} // namespace lapidary
