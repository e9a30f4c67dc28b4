// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/statistics.h"

#include <QImage>
#include <QWidget>

namespace lapidary {

// The distribution of a tensor's finite values as bars over its range.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);
    void setStatistics(TensorStatistics statistics);
    QSize sizeHint() const override { return {240, 96}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString binText(int bin) const;
    TensorStatistics m_statistics;
};

// Returns the colors of a grid, one pixel for each cell: two-sided if it has values of both signs.
QImage heatMapImage(const TensorGrid& grid, bool isDark);

// A tensor as a map of its values, in two-sided colors if it has values of both signs.
class HeatMapView : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapView(QWidget* parent = nullptr);
    void setGrid(TensorGrid grid);
    QSize sizeHint() const override { return {240, 112}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    TensorGrid m_grid;
};

} // namespace lapidary
