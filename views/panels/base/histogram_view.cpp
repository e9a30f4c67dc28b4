// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/histogram_view.h"

#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"
#include "views/theme/ramp.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"histogram"_s);
    setAccessibleName(u"Histogram"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistogramView::setStatistics(TensorStatistics statistics)
{
    m_statistics = std::move(statistics);
    setAccessibleDescription(m_statistics.bins.empty()
                                 ? u"no finite values"_s
                                 : u"from %1 to %2"_s.arg(valueText(m_statistics.minimum),
                                                          valueText(m_statistics.maximum)));
    update();
}

void HistogramView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    const std::vector<std::int64_t>& bins = m_statistics.bins;
    const int bottom = height() - fontMetrics().height() - 4;
    painter.setPen(theme[Role::Line]);
    painter.drawLine(0, bottom, width(), bottom);
    painter.setPen(theme[Role::TextMuted]);
    const QRect labels(0, bottom + 3, width(), fontMetrics().height());
    if (bins.empty()) {
        painter.drawText(rect(), Qt::AlignCenter, u"No finite values"_s);
        return;
    }
    painter.drawText(labels, Qt::AlignLeft, valueText(m_statistics.minimum, 3));
    painter.drawText(labels, Qt::AlignRight, valueText(m_statistics.maximum, 3));
    const double top = double(*std::max_element(bins.begin(), bins.end()));
    const double step = double(width()) / double(bins.size());
    const QColor bar = theme.family(OpFamily::HeavyMaths).outline;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i] == 0)
            continue;
        // The square root makes rare values visible beside a high peak.
        const double share = std::sqrt(double(bins[i]) / top);
        const double h = std::max(1.0, share * (bottom - 4));
        painter.fillRect(QRectF(double(i) * step, bottom - h, std::max(step - 1, 1.0), h), bar);
    }
}

QString HistogramView::binText(int bin) const
{
    const double step =
        (m_statistics.maximum - m_statistics.minimum) / double(m_statistics.bins.size());
    const double begin = m_statistics.minimum + bin * step;
    return u"%1 \u2026 %2: %3 (heights by square root)"_s.arg(
        valueText(begin), valueText(begin + step),
        counted(m_statistics.bins[std::size_t(bin)], u"value"_s));
}

bool HistogramView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !m_statistics.bins.empty()) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int count = int(m_statistics.bins.size());
        const int bin = std::clamp(help->pos().x() * count / std::max(width(), 1), 0, count - 1);
        QToolTip::showText(help->globalPos(), binText(bin), this);
        return true;
    }
    return QWidget::event(event);
}

QImage heatMapImage(const TensorGrid& grid, bool isDark)
{
    double low = 0;
    double high = 0;
    bool isFirst = true;
    for (const double cell : grid.cells) {
        if (!std::isfinite(cell))
            continue;
        low = isFirst ? cell : std::min(low, cell);
        high = isFirst ? cell : std::max(high, cell);
        isFirst = false;
    }
    QImage image(grid.columns, grid.rows, QImage::Format_RGB32);
    const bool isTwoSided = low < 0 && high > 0;
    const double reach = std::max(std::abs(low), std::abs(high));
    for (int y = 0; y < grid.rows; ++y) {
        for (int x = 0; x < grid.columns; ++x) {
            const double cell =
                grid.cells[std::size_t(y) * std::size_t(grid.columns) + std::size_t(x)];
            QColor color = themeFor(isDark)[Role::Problem];
            if (std::isfinite(cell) && isTwoSided)
                color = differenceRamp(cell / reach, isDark);
            else if (std::isfinite(cell))
                color = overlayRamp(high > low ? (cell - low) / (high - low) : 0.5);
            image.setPixelColor(x, y, color);
        }
    }
    return image;
}

HeatMapView::HeatMapView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"heatMap"_s);
    setAccessibleName(u"Heat map"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeatMapView::setGrid(TensorGrid grid)
{
    m_grid = std::move(grid);
    setAccessibleDescription(
        u"%1 by %2 values"_s.arg(exactText(m_grid.tensorRows), exactText(m_grid.tensorColumns)));
    update();
}

void HeatMapView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_grid.cells.empty())
        painter.drawImage(rect(), heatMapImage(m_grid, themeOf(*this).isDark));
}

bool HeatMapView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !m_grid.cells.empty()) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int x = std::clamp(help->pos().x() * m_grid.columns / std::max(width(), 1), 0,
                                 m_grid.columns - 1);
        const int y =
            std::clamp(help->pos().y() * m_grid.rows / std::max(height(), 1), 0, m_grid.rows - 1);
        const double cell =
            m_grid.cells[std::size_t(y) * std::size_t(m_grid.columns) + std::size_t(x)];
        QToolTip::showText(help->globalPos(),
                           u"about row %1, column %2 of %3 by %4: %5"_s.arg(
                               exactText(m_grid.tensorRows * y / m_grid.rows),
                               exactText(m_grid.tensorColumns * x / m_grid.columns),
                               exactText(m_grid.tensorRows), exactText(m_grid.tensorColumns),
                               valueText(cell)),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace lapidary
