// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <vector>

class QSplitter;

namespace lapidary {

// Up to three panes side by side, four as two rows of two whose columns stay in line.
class PaneGrid : public QWidget {
    Q_OBJECT
public:
    explicit PaneGrid(QWidget* parent = nullptr);

    // Sets the panes from the left, row by row; all get the same size. A pane that is shown now but
    // not among them stays: its owner takes it away first.
    void setPanes(const std::vector<QWidget*>& panes);

private:
    QSplitter* m_rows;
    QSplitter* m_upper;
    QSplitter* m_lower;
};

} // namespace lapidary
