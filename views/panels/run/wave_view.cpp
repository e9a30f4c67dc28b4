// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/wave_view.h"

#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"
#include "views/theme/ramp.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastForBoth = 48; // height of a channel, for its samples and its frequencies

QImage spectrumImage(const Spectrogram& spectrogram, const std::vector<std::uint8_t>& levels)
{
    constexpr int most = 255;
    QList<QRgb> colors;
    for (int level = 0; level <= most; ++level)
        colors.append(overlayRamp(double(level) / most).rgb());
    QImage image(spectrogram.columns, spectrogram.rows, QImage::Format_Indexed8);
    image.setColorTable(colors);
    for (int row = 0; row < spectrogram.rows; ++row)
        std::copy_n(levels.begin() + std::ptrdiff_t(row) * spectrogram.columns, spectrogram.columns,
                    image.scanLine(row));
    return image;
}

} // namespace

WaveView::WaveView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"valueWave"_s);
    setAccessibleName(u"Waveform"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void WaveView::setWave(Waveform wave, const Spectrogram& spectrogram)
{
    m_wave = std::move(wave);
    m_window = spectrogram.window;
    m_spectra.clear();
    for (const std::vector<std::uint8_t>& levels : spectrogram.channels)
        m_spectra.push_back(spectrumImage(spectrogram, levels));
    setAccessibleDescription(text());
    setToolTip(text());
    update();
}

QString WaveView::text() const
{
    QString text = u"%1 of %2, from %3 to %4"_s.arg(
        counted(m_wave.samples, u"sample"_s), counted(m_wave.allChannels, u"channel"_s),
        valueText(m_wave.low, 4), valueText(m_wave.high, 4));
    if (m_wave.allChannels > std::int64_t(m_wave.channels.size()))
        text += u"; the first %1 are shown"_s.arg(m_wave.channels.size());
    if (m_window > 0 && hasRoomForSpectra())
        text += u"; frequencies of %1 at a time"_s.arg(counted(m_window, u"sample"_s));
    return text;
}

// Tells whether lanes are high enough: lower ones would show neither samples nor spectra.
bool WaveView::hasRoomForSpectra() const
{
    return height() >= leastForBoth * int(m_wave.channels.size());
}

void WaveView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    setAccessibleDescription(text());
    setToolTip(text());
}

void WaveView::paintLane(QPainter& painter, const QRectF& lane,
                         const std::vector<Waveform::Span>& spans) const
{
    const Theme& theme = themeOf(*this);
    const double reach = std::max({std::abs(m_wave.low), std::abs(m_wave.high), 1e-30});
    const auto yOf = [&](double sample) {
        return lane.center().y() - sample / reach * (lane.height() / 2 - 2);
    };
    painter.setPen(theme[Role::Line]);
    painter.drawLine(QPointF(lane.left(), yOf(0)), QPointF(lane.right(), yOf(0)));
    painter.setPen(theme[Role::Accent]);
    const double step = lane.width() / double(std::max<std::size_t>(spans.size(), 1));
    QPointF before;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Waveform::Span& span = spans[i];
        if (span.isEmpty)
            continue;
        const double x = lane.left() + (double(i) + 0.5) * step;
        const QPointF middle(x, yOf((double(span.low) + span.high) / 2));
        if (i > 0 && !spans[i - 1].isEmpty)
            painter.drawLine(before, middle);
        painter.drawLine(QPointF(x, yOf(span.low)), QPointF(x, yOf(span.high)));
        before = middle;
    }
}

void WaveView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(*this)[Role::Canvas]);
    const double height =
        double(this->height()) / double(std::max<std::size_t>(m_wave.channels.size(), 1));
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (std::size_t i = 0; i < m_wave.channels.size(); ++i) {
        const QRectF lane(0, double(i) * height, width(), height);
        const bool hasSpectrum = i < m_spectra.size() && hasRoomForSpectra();
        const double split = hasSpectrum ? std::floor(lane.height() / 2) : lane.height();
        paintLane(painter, QRectF(lane.left(), lane.top(), lane.width(), split),
                  m_wave.channels[i]);
        if (hasSpectrum)
            painter.drawImage(lane.adjusted(0, split, 0, -1), m_spectra[i]);
    }
}

} // namespace lapidary
