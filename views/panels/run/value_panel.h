// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/value_report.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <memory>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace lapidary {

class BarsView;
class BoxesView;
class DetectionBar;
class ElidedLabel;
class HeatMapView;
class OneLineLabel;
class HistogramView;
class PanelTable;
class PictureView;
class ShapeQuestion;
class SliceBar;
class TensorFigures;
class WaveView;

// The values of the outputs of one node: figures and histogram of the chosen one, and beside them a
// picture, bars, a heat map or a table. The owner makes the reports: `chosen` requests one.
class ValuePanel : public QWidget {
    Q_OBJECT
public:
    explicit ValuePanel(QWidget* parent = nullptr);

    void setNode(const QString& name, const QStringList& outputs); // and requests the first one
    void setReport(std::shared_ptr<const ValueReport> report);
    // Shows a message instead of a value: why there is none or how to get one.
    void setMessage(const QString& text, bool isProblem);
    // Asks, below the message, for the sizes of an input; an empty tensor hides the question.
    void askForShape(const QString& tensor, const QString& proposed);
    void setMemory(const QString& text, const QString& tip); // memory of the values that are kept
    void setLabels(const QStringList& labels);
    void setObstacle(const QString& why); // why nothing can be run; empty: it can
    // Sets the number of times that the value was computed, if only the last one is shown; 0: it
    // was computed once.
    void setTimes(std::uint64_t times) { m_times = times; }
    // For boxes of a detector: sets the fed picture, and the tensors that may be their scores and
    // classes.
    void setDetection(const QImage& picture, const QStringList& tensors);

    int output() const; // index of the chosen output; -1: none
    const ValueChoice& choice() const { return m_choice; }
    void setChoice(const ValueChoice& choice) { m_choice = choice; } // without emitting chosen()
    const std::shared_ptr<const ValueReport>& report() const { return m_report; } // may be null

signals:
    void chosen(); // another output, or another way to show it
    void actionRequested(const char* id);
    void shapeGiven(const QString& tensor, const QString& shape);

private:
    QWidget* buildReason();
    QWidget* buildHead();
    QWidget* buildOptions();
    QWidget* buildBody();
    void choose();
    void showView();
    void showPicture();
    void showTable();
    void fillViews();

    ValueChoice m_choice;
    std::shared_ptr<const ValueReport> m_report;
    std::uint64_t m_times = 0;
    ElidedLabel* m_title = nullptr;
    QComboBox* m_outputs = nullptr;
    QComboBox* m_views = nullptr;
    QComboBox* m_mode = nullptr;
    QComboBox* m_scale = nullptr;
    QSpinBox* m_picture = nullptr;
    SliceBar* m_slice = nullptr;
    QPushButton* m_labels = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_save = nullptr;
    QLabel* m_size = nullptr;
    QLabel* m_memory = nullptr;
    OneLineLabel* m_note = nullptr;
    QWidget* m_reason = nullptr; // the reason why there is no value
    QLabel* m_message = nullptr;
    ShapeQuestion* m_ask = nullptr;
    QWidget* m_body = nullptr;
    TensorFigures* m_figures = nullptr;
    HistogramView* m_histogram = nullptr;
    QStackedWidget* m_pages = nullptr;
    PictureView* m_pictureView = nullptr;
    BarsView* m_bars = nullptr;
    WaveView* m_wave = nullptr;
    BoxesView* m_boxes = nullptr;
    DetectionBar* m_detection = nullptr;
    QStringList m_detectionTensors;
    HeatMapView* m_heatMap = nullptr;
    PanelTable* m_table = nullptr;
};

} // namespace lapidary
