// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/waveform.h"

#include <QWidget>

namespace lapidary {

// Samples over time, a lane for each channel, on one scale.
class WaveView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit WaveView(QWidget* parent = nullptr);
    void setWave(Waveform wave);
    // "16 000 samples of 1 channel, from -0.5 to 0.5".
    QString text() const;
    QSize sizeHint() const override { return {240, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintLane(QPainter& painter, const QRectF& lane,
                   const std::vector<Waveform::Span>& spans) const;

    Waveform m_wave;
};

} // namespace lapidary
