// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/spectrogram.h"

#include <QImage>
#include <QWidget>

#include <vector>

namespace lapidary {

// Samples over time, a lane for each channel, all on one scale; below each lane its spectrogram,
// from half of the sampling rate at the top down to 0.
class WaveView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit WaveView(QWidget* parent = nullptr);
    void setWave(Waveform wave, const Spectrogram& spectrogram);
    // "16 000 samples of 1 channel, from -0.5 to 0.5; spectrogram of 1024 samples a column".
    QString text() const;
    QSize sizeHint() const override { return {240, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool hasRoomForSpectra() const;
    void paintLane(QPainter& painter, const QRectF& lane,
                   const std::vector<Waveform::Span>& spans) const;

    Waveform m_wave;
    int m_window = 0;              // of the spectrograms
    std::vector<QImage> m_spectra; // one for each channel
};

} // namespace lapidary
