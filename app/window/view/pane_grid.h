// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <vector>

class QSplitter;

namespace lapidary {

// Up to three panes side by side, or four as two rows of two with aligned columns.
class PaneGrid : public QWidget {
    Q_OBJECT
public:
    explicit PaneGrid(QWidget* parent = nullptr);

    // Sets the panes from the left, row by row; all get the same size. Panes that are left out are
    // not hidden: their owner must remove them first.
    void setPanes(const std::vector<QWidget*>& panes);

private:
    QSplitter* m_rows;
    QSplitter* m_upper;
    QSplitter* m_lower;
};

} // namespace lapidary
