// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/statistics.h"

#include <QWidget>

class QLabel;

namespace lapidary {

// Range, mean, zeros and what is not finite of a tensor, one a line.
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

// One line of text, which may be taken into the clipboard where it is not muted.
QLabel* plainLabel(QWidget* parent, bool isMuted);

} // namespace lapidary
