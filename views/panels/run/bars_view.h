// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/top_elements.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace lapidary {

// The largest elements of a vector as bars, with the labels of their classes if there are any.
class BarsView : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit BarsView(QWidget* parent = nullptr);
    void setElements(std::vector<TopElement> elements);
    void setLabels(QStringList labels); // by class; there may be too few
    QString text() const;               // one line for each bar
    QSize sizeHint() const override { return {320, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString labelOf(const TopElement& element) const;

    std::vector<TopElement> m_elements;
    QStringList m_labels;
};

} // namespace lapidary
