// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/scene_painter.h"

#include <QImage>
#include <QWidget>

namespace lapidary {

// The whole picture in the corner of the canvas, with a frame around the part in view. A press or a
// drag emits placeAsked() with the scene point under the pointer.
class Minimap : public QWidget {
    Q_OBJECT
public:
    Minimap(ScenePainter& painter, QWidget* parent);

    // Takes a new picture at the next paint; `state` and `theme` must outlive the map.
    void setPicture(const PictureState& state, const Theme& theme);
    void setView(const QRectF& sceneArea);
    // Returns the size that suits the scene's proportions, within `most`.
    QSize fittingSize(const QSize& most) const;

signals:
    void placeAsked(const QPointF& scenePoint);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    struct Place {
        QPointF origin; // scene point at the map's top left
        double scale = 1;
    };
    Place place() const;
    void ask(const QPointF& at);
    void renew();

    ScenePainter& m_painter;
    const PictureState* m_state = nullptr;
    const Theme* m_theme = nullptr;
    QRectF m_view;
    QImage m_picture;
};

} // namespace lapidary
