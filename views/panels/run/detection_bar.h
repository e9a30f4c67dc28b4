// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/detections.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;

namespace lapidary {

// How the numbers of boxes are taken: their order, and which tensors hold scores and classes.
class DetectionBar : public QWidget {
    Q_OBJECT
public:
    explicit DetectionBar(QWidget* parent = nullptr);
    // `tensors`: those that may hold scores or classes.
    void setChoice(const DetectionChoice& choice, const QStringList& tensors);

signals:
    void chosen(const lapidary::DetectionChoice& choice);

private:
    void choose();

    DetectionChoice m_choice;
    QComboBox* m_order;
    QComboBox* m_scores;
    QComboBox* m_classes;
    QDoubleSpinBox* m_least;
};

} // namespace lapidary
