// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_sums.h"
#include "views/panels/profile/folded_time.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace lapidary {

// The times at which each node of a run began and ended: a lane for each thread, a bar for each
// execution. Long times in which nothing runs are folded. The critical path is underlined. The
// wheel and + and - zoom, dragging moves, Home shows all; a click or the arrow keys select.
class TimelineView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit TimelineView(QWidget* parent = nullptr);

    void setSums(ProfileSumsPtr sums); // null: none
    bool hasTimes() const { return m_sums && !m_sums->profile().slices.empty(); }
    // Marks the bars of these nodes, and scrolls to the first one if it is not in view.
    void setSelected(const std::vector<NodeId>& nodes);
    QStringList selectedNames() const; // of nodes
    // "41 bars in 2 lanes, 12.3 ms; critical path 9.1 ms; shown: 0 µs to 12.3 ms"
    QString text() const;
    QSize sizeHint() const override { return {480, 120}; }

signals:
    void nodeSelected(lapidary::NodeId node);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr double rulerHeight = 22;

    const std::vector<ProfiledSlice>& slices() const { return m_sums->profile().slices; }
    double gutter() const;
    double room() const;  // width of the lanes
    QRectF lanes() const; // where bars are drawn
    double xOf(double time) const;
    double xOfPlace(double place) const; // a place on m_axis
    double placeAt(double x) const;
    QRectF barOf(const ProfiledSlice& slice) const;
    std::optional<std::size_t> sliceAt(const QPointF& position) const;
    void zoom(double x, double factor);
    void showTimes(double from, double span);
    void select(std::size_t slice);
    void step(int by);
    void changeLane(int by);
    QString tip(std::size_t slice) const;
    void paintNames(QPainter& painter) const;
    void paintGaps(QPainter& painter) const;
    void paintRuler(QPainter& painter) const;
    double paintTicks(QPainter& painter, double from, double to, double step, double free) const;
    void paintLane(QPainter& painter, std::size_t lane) const;
    void paintBar(QPainter& painter, std::size_t slice) const;
    void paintBarText(QPainter& painter, const ProfiledSlice& slice, const QRectF& bar) const;
    const FoldedTime::Gap* gapAt(double x) const;

    ProfileSumsPtr m_sums;
    std::vector<std::vector<std::size_t>> m_ofLane; // slices, by their start
    std::vector<double> m_busy;                     // nanoseconds, by lane
    double m_critical = 0;                          // nanoseconds
    FoldedTime m_axis;
    double m_end;                         // of m_axis, at least the span of the closest
                                          // zoom
    double m_from = 0;                    // place on m_axis at the left edge
    double m_span = 1;                    // from there to the right edge
    std::vector<bool> m_isSelected;       // by row of the profile
    std::optional<std::size_t> m_current; // index of the slice that the arrow keys start
                                          // from
    std::optional<double> m_dragged;      // place at the pointer when the drag began
    QPointF m_pressed;
};

} // namespace lapidary
