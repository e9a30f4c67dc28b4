// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace lapidary {

using AutopilotPtr = std::shared_ptr<const Autopilot>;

// The files that a search built, by their size or time (across) and their closeness to the model
// (up). A line joins the files that no other file beats; the corner within the budget is marked. A
// click or the arrow keys choose a file.
class FrontView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit FrontView(QWidget* parent = nullptr);

    // `limits`: of the search. Null `found`: there was no search.
    void setFound(AutopilotPtr found, const AutopilotOptions& limits);
    void setCurrent(std::optional<std::size_t> point);
    // "9 files built and run, 6 beaten by none; the model: 157 kB".
    QString text() const;
    QSize sizeHint() const override { return {360, 200}; }

signals:
    void pointChosen(std::size_t point);
    void pointActivated(std::size_t point); // the user wants to use it

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Range {
        double from = 0;
        double to = 1;
    };
    void fitRanges();
    QRectF plot() const;
    double across(double bytes) const;
    double up(double decibels) const;
    QPointF placeOf(const AutopilotPoint& point) const;
    double sizeOf(const AutopilotPoint& point) const;
    bool isCompressed() const { return m_limits.mostGzipBytes.has_value(); }
    QString amountText(double amount) const; // of the horizontal axis: bytes or time
    bool isOnFront(std::size_t point) const;
    std::optional<std::size_t> pointAt(const QPointF& position) const;
    QString nameOf(const AutopilotPoint& point) const;
    QString tip(std::size_t point) const;
    void choose(std::size_t point);
    void step(int by, bool isUp);
    void paintAxes(QPainter& painter) const;
    void paintBudget(QPainter& painter) const;
    void paintLine(QPainter& painter) const;
    void paintPoint(QPainter& painter, std::size_t point) const;
    void paintName(QPainter& painter, std::size_t point) const;

    AutopilotPtr m_found;
    AutopilotOptions m_limits;
    std::optional<std::size_t> m_current;
    Range m_bytes;
    Range m_decibels;
};

} // namespace lapidary
