// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/diff/difference_list.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lapidary {

// The line above graphs that are compared: a sentence on their differences, and buttons that step
// through them.
class ComparisonBar : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonBar(QWidget* parent = nullptr);

    // Sets the list; null: there is none, and `remark` gives the reason.
    void setList(const DifferenceListPtr& list, const QString& remark = {});
    void setCurrent(int number); // index in the list's steps; -1: none yet

signals:
    void stepRequested(int by);
    void listRequested();
    void endRequested();

private:
    QPushButton* addButton(const QString& text, const QString& name, const QString& tip);
    void renewCount();

    DifferenceListPtr m_list;
    int m_current = -1;
    QLabel* m_summary;
    QLabel* m_count;
    QPushButton* m_previous;
    QPushButton* m_next;
    QPushButton* m_shows;
};

} // namespace lapidary
