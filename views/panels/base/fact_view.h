// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/fact_model.h"

#include <QTreeView>

namespace lapidary {

// Facts below headings that fold. Enter or a click follows a link; Ctrl+C copies the rows.
class FactView : public QTreeView {
    Q_OBJECT
public:
    explicit FactView(QWidget* parent = nullptr);

    void setSections(FactSections sections);
    const FactModel& facts() const { return *m_model; }

signals:
    void linkActivated(const lapidary::FactLink& link);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void copySelected();
    void fitColumns();
    void follow(const QModelIndex& index);

    FactModel* m_model;
};

} // namespace lapidary
