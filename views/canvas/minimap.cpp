// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace lapidary {
namespace {

constexpr double padding = 6;
constexpr int smallestSide = 36;

} // namespace

Minimap::Minimap(ScenePainter& painter, QWidget* parent)
    : QWidget(parent)
    , m_painter(painter)
{
    setAccessibleName(tr("Minimap"));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_OpaquePaintEvent);
    hide();
}

void Minimap::setPicture(const PictureState& state, const Theme& theme)
{
    m_state = &state;
    m_theme = &theme;
    m_picture = {};
    update();
}

void Minimap::setView(const QRectF& sceneArea)
{
    if (m_view == sceneArea)
        return;
    m_view = sceneArea;
    update();
}

QSize Minimap::fittingSize(const QSize& most) const
{
    const Rect& all = m_painter.scene()->bounds;
    if (all.w <= 0 || all.h <= 0)
        return {smallestSide, smallestSide};
    const double scale = std::min((most.width() - 2 * padding) / double(all.w),
                                  (most.height() - 2 * padding) / double(all.h));
    return {std::max(smallestSide, int(all.w * scale + 2 * padding)),
            std::max(smallestSide, int(all.h * scale + 2 * padding))};
}

Minimap::Place Minimap::place() const
{
    const Rect& all = m_painter.scene()->bounds;
    const double scale = std::min((width() - 2 * padding) / std::max(double(all.w), 1.0),
                                  (height() - 2 * padding) / std::max(double(all.h), 1.0));
    const QPointF middle(all.center().x, all.center().y);
    return {middle - QPointF(width(), height()) / (2 * scale), scale};
}

void Minimap::renew()
{
    const double ratio = devicePixelRatioF();
    m_picture = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    const Place at = place();
    m_painter.paint(m_picture, {.origin = at.origin,
                                .size = size(),
                                .scale = at.scale,
                                .pixelRatio = ratio,
                                .theme = *m_theme,
                                .state = *m_state,
                                .isMap = true});
}

void Minimap::paintEvent(QPaintEvent* /*event*/)
{
    if (!m_theme)
        return;
    if (m_picture.size() != (QSizeF(size()) * devicePixelRatioF()).toSize())
        renew();
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_picture);
    const Place at = place();
    painter.setPen(Qt::NoPen);
    painter.setBrush((*m_theme)[Role::Hit]);
    for (const ItemId item : m_state->hits)
        if (const auto box = m_painter.scene()->boxOf.find(item);
            box != m_painter.scene()->boxOf.end()) {
            const Point c = m_painter.scene()->boxes[box->second].rect.center();
            painter.drawEllipse((QPointF(c.x, c.y) - at.origin) * at.scale, 2, 2);
        }
    const QRectF frame((m_view.topLeft() - at.origin) * at.scale, m_view.size() * at.scale);
    QColor wash = (*m_theme)[Role::Accent];
    wash.setAlphaF(0.10F);
    painter.setBrush(wash);
    painter.setPen(QPen((*m_theme)[Role::Accent], 1));
    const QRectF inside = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    const QRectF least(frame.center() - QPointF(3, 3), QSizeF(6, 6));
    painter.drawRect(frame.united(least).intersected(inside));
    painter.setBrush(Qt::NoBrush);
    painter.setPen((*m_theme)[Role::Line]);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Minimap::ask(const QPointF& at)
{
    const Place map = place();
    emit placeAsked(map.origin + at / map.scale);
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        ask(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        ask(event->position());
}

} // namespace lapidary
