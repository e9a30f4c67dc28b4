// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/machine_peaks.h"
#include "runner/profile/roofline.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lapidary {

// The nodes of a profile by their operations per byte (across) and per second (up), both
// logarithmic, below the roof of the machine: the limits of its memory and its arithmetic. The area
// of a disk shows the time of its node. A click or the arrow keys select.
class RooflineView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit RooflineView(QWidget* parent = nullptr);

    void setPoints(ProfileSumsPtr sums, std::vector<RooflinePoint> points); // null: no profile
    // Sets the peaks of the machine; without them, `why` gives the reason.
    void setPeaks(const std::optional<MachinePeaks>& peaks, const QString& why);
    void setSelected(const std::vector<NodeId>& nodes);
    // "20 nodes; peaks measured with 1 thread: 45 GFLOP/s and 9.8 GB/s; 12 nodes wait for memory".
    QString text() const;
    QString caption(double room) const; // the line below the plot, in so many pixels
    struct Label {
        QRectF place;
        QString text;
    };
    std::vector<Label> roofLabels() const; // of the lines; empty without peaks
    QSize sizeHint() const override { return {480, 160}; }

signals:
    void nodeSelected(lapidary::NodeId node);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Range { // in decimal logarithms
        double from = 0;
        double to = 1;
    };
    void renew();
    QString whyEmpty() const;
    std::int64_t waiting() const;
    QRectF plot() const;
    QPointF at(double intensity, double rate) const;
    QPointF placeOf(const RooflinePoint& point) const { return at(point.intensity, point.rate); }
    double radiusOf(const RooflinePoint& point) const;
    double roofAt(double intensity) const; // FLOP per second; 0: not known
    std::optional<std::size_t> pointAt(const QPointF& position) const;
    void select(std::size_t point);
    void step(double RooflinePoint::*along, bool isForward);
    QString tip(std::size_t point) const;
    Label nameOf(std::size_t point) const;
    void paintAxes(QPainter& painter) const;
    void paintRoof(QPainter& painter) const;
    void paintPoint(QPainter& painter, std::size_t point) const;

    ProfileSumsPtr m_sums;
    std::vector<RooflinePoint> m_points;
    std::optional<MachinePeaks> m_peaks;
    QString m_why; // the reason why there are no peaks
    Range m_across;
    Range m_up;
    std::vector<bool> m_isSelected; // by point
    std::optional<std::size_t> m_current;
};

} // namespace lapidary
