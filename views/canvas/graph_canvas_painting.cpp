// SPDX-License-Identifier: Apache-2.0
// GraphCanvas: painting.
#include "views/canvas/graph_canvas.h"
#include "views/canvas/minimap.h"

#include <QElapsedTimer>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr double sheetMargin = 0.2; // of the view, on each side
constexpr double cheapSheet = 12;   // ms; a slower picture is shown as a scaled copy first

} // namespace

PictureRequest GraphCanvas::request(const Camera& camera, QSizeF size,
                                    const PictureState& state) const
{
    return {.origin = camera.origin,
            .size = size,
            .scale = camera.scale,
            .pixelRatio = devicePixelRatioF(),
            .theme = *m_theme,
            .state = state};
}

void GraphCanvas::invalidate()
{
    m_sheet.isValid = false;
    m_minimap->setPicture(m_highlights.state(), *m_theme);
    updateMinimap();
    viewport()->update();
}

void GraphCanvas::renewSheet()
{
    QElapsedTimer timer;
    timer.start();
    const double ratio = devicePixelRatioF();
    const QSizeF size = viewSize() * (1 + 2 * sheetMargin);
    const QSize pixels = (size * ratio).toSize();
    if (m_sheet.image.size() != pixels)
        m_sheet.image = QImage(pixels, QImage::Format_RGB32);
    m_sheet.image.setDevicePixelRatio(ratio);
    const QPointF margin(std::round(viewSize().width() * sheetMargin),
                         std::round(viewSize().height() * sheetMargin));
    m_sheet.camera = {m_camera.now().origin - margin / m_camera.zoom(), m_camera.zoom()};
    PictureRequest sheet = request(m_sheet.camera, size, m_highlights.state());
    sheet.inView = QRectF(margin, viewSize());
    m_painter.paint(m_sheet.image, sheet);
    m_sheet.isValid = true;
    m_sheet.cost = double(timer.nsecsElapsed()) / 1e6;
    m_sharpen.stop();
}

bool GraphCanvas::sheetCoversView() const
{
    if (!m_sheet.isValid || m_sheet.camera.scale != m_camera.zoom())
        return false;
    const QSizeF size = m_sheet.image.deviceIndependentSize();
    const QRectF covered(m_camera.now().toView(m_sheet.camera.origin), size);
    return covered.adjusted(-0.5, -0.5, 0.5, 0.5).contains(QRectF(viewport()->rect()));
}

void GraphCanvas::paintSheet(QPainter& painter)
{
    const bool isStale = !sheetCoversView();
    if (isStale && (!m_sheet.isValid || m_sheet.cost < cheapSheet))
        renewSheet();
    else if (isStale)
        m_sharpen.start();
    const double zoom = m_camera.zoom() / m_sheet.camera.scale;
    const QSizeF size = m_sheet.image.deviceIndependentSize() * zoom;
    QPointF at = m_camera.now().toView(m_sheet.camera.origin);
    if (zoom == 1.0) {
        const double ratio = devicePixelRatioF();
        at = QPointF(std::round(at.x() * ratio), std::round(at.y() * ratio)) / ratio;
    }
    const QRectF covered(at, size);
    if (!covered.contains(QRectF(viewport()->rect())))
        painter.fillRect(viewport()->rect(), (*m_theme)[Role::Canvas]);
    painter.drawImage(covered, m_sheet.image);
}

void GraphCanvas::paintMoving(QPainter& painter)
{
    const double ratio = devicePixelRatioF();
    QImage image((viewSize() * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    PictureRequest moving = request(m_camera.now(), viewSize(), m_highlights.state());
    moving.moved = m_camera.movedBoxes();
    m_painter.paint(image, moving);
    painter.drawImage(QPointF(0, 0), image);
    m_painter.paintOverlay(painter, moving, false);
}

void GraphCanvas::paintBand(QPainter& painter) const
{
    if (m_band.isEmpty())
        return;
    const QColor& accent = (*m_theme)[Role::Accent];
    QColor ground = accent;
    ground.setAlphaF(0.1F);
    painter.setPen(QPen(accent, 1));
    painter.setBrush(ground);
    painter.drawRect(QRectF(m_band.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void GraphCanvas::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    if (m_camera.movedBoxes() != nullptr) {
        paintMoving(painter);
        return;
    }
    paintSheet(painter);
    m_painter.paintOverlay(painter, request(m_camera.now(), viewSize(), m_highlights.state()),
                           true);
    paintBand(painter);
    if (m_emptyText.isEmpty())
        return;
    painter.setPen((*m_theme)[Role::TextMuted]);
    painter.drawText(QRectF(QPointF(), viewSize()).adjusted(24, 24, -24, -24),
                     int(Qt::AlignCenter) | Qt::TextWordWrap, m_emptyText);
}

QImage GraphCanvas::picture()
{
    const double ratio = devicePixelRatioF();
    QImage image((viewSize() * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    PictureState plain = m_highlights.state();
    plain.hovered = {};
    const PictureRequest whole = request(m_camera.now(), viewSize(), plain);
    m_painter.paint(image, whole);
    QPainter painter(&image);
    m_painter.paintOverlay(painter, whole, true);
    return image;
}

} // namespace lapidary
