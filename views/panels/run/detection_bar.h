// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/detections.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace lapidary {

// The fields that tell how the numbers of boxes are interpreted, and which boxes are shown.
class DetectionBar : public QWidget {
    Q_OBJECT
public:
    explicit DetectionBar(QWidget* parent = nullptr);
    // `tensors`: those that may hold scores or classes. `found`: the result of the choice.
    void setChoice(const DetectionChoice& choice, const QStringList& tensors,
                   const Detections& found);

signals:
    void chosen(const lapidary::DetectionChoice& choice);

private:
    void buildNumbers();
    void choose();

    DetectionChoice m_choice;
    QComboBox* m_order;
    QComboBox* m_scores;
    QComboBox* m_classes;
    QComboBox* m_noObject;
    QComboBox* m_objectness; // replaces the three above for packed boxes
    QDoubleSpinBox* m_least;
    QDoubleSpinBox* m_overlap;
    QSpinBox* m_most;
};

} // namespace lapidary
