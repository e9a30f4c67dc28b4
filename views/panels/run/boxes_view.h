// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/detections.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace lapidary {

// Shows the results of a detector: boxes with classes and scores over the picture that it was fed,
// and a list of them beside it.
class BoxesView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit BoxesView(QWidget* parent = nullptr);
    void setPicture(QImage picture); // null: boxes on an empty square
    void setBoxes(std::vector<DetectedBox> boxes);
    void setLabels(QStringList labels);
    void setFault(QString why); // the reason why there are no boxes, shown instead of them; empty:
                                // there may be some
    // "3 boxes: dog 0.92, cat 0.71, class 17 0.55".
    QString text() const;
    QSize sizeHint() const override { return {240, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString labelOf(const DetectedBox& box) const;
    QRectF area() const;                                         // of the picture
    void paintList(QPainter& painter, const QRectF& room) const; // as many as fit
    void renew();

    QImage m_picture;
    std::vector<DetectedBox> m_boxes;
    QStringList m_labels;
    QString m_fault;
};

} // namespace lapidary
