// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/tensor_report.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QProgressBar;

namespace lapidary {

class ElidedChoice;
class ElidedLabel;
class HeatMapView;
class HistogramView;
class TensorFigures;

// One constant as figures, histogram and heat map. The owner makes the report: `chosen` requests
// it, setReport() shows it.
class TensorSection : public QWidget {
    Q_OBJECT
public:
    explicit TensorSection(QWidget* parent = nullptr);

    // Sets the constants to choose from and requests the first one. An empty list hides the
    // section.
    void setTensors(const GraphPtr& graph, const std::vector<NodeId>& nodes);
    void setReport(const TensorReport& report);
    void setFailure(const QString& why);
    NodeId current() const;

signals:
    void chosen(lapidary::NodeId node);
    void tableRequested(lapidary::NodeId node);
    void saveRequested(lapidary::NodeId node);

private:
    void clearFigures(const QString& note);
    void ask();

    std::vector<NodeId> m_nodes;
    ElidedLabel* m_title;
    ElidedChoice* m_choice;
    QLabel* m_size;
    QLabel* m_note;
    HistogramView* m_histogram;
    HeatMapView* m_heatMap;
    TensorFigures* m_figures;
    QPushButton* m_table;
    QPushButton* m_save;
};

} // namespace lapidary
