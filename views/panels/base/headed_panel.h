// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QAbstractItemModel;
class QVBoxLayout;

namespace lapidary {

class PanelHead;
class SortedTable;

// A panel of the bottom dock: a line with a remark and buttons, and what it is about below.
class HeadedPanel : public QWidget {
    Q_OBJECT
public:
    void setRemark(const QString& text, bool isProblem = false);

signals:
    void actionRequested(const char* id);

protected:
    // `stem`: "lens" names the panel lensPanel and its remark lensRemark. `title`: for screen
    // readers.
    HeadedPanel(const QString& stem, const QString& title, QWidget* parent);

    PanelHead& head() const { return *m_head; }
    QVBoxLayout& column() const { return *m_column; } // the head is its first part
    // Adds a table as the last part of the column, with all the remaining space. `name`: for screen
    // readers; "lens" names it lensTable.
    SortedTable* addTable(const QString& name, QAbstractItemModel& model, int sortRole);

private:
    QString m_stem;
    PanelHead* m_head;
    QVBoxLayout* m_column;
};

} // namespace lapidary
