// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QAbstractItemModel;
class QVBoxLayout;

namespace lapidary {

class PanelHead;
class SortedTable;

// A panel of the bottom dock: a line with a remark and buttons above the panel's content.
class HeadedPanel : public QWidget {
    Q_OBJECT
public:
    void setRemark(const QString& text, bool isProblem = false);

signals:
    void actionRequested(const char* id);

protected:
    // `stem` begins object names: "lens" makes lensPanel and lensRemark. `title`: for screen
    // readers.
    HeadedPanel(const QString& stem, const QString& title, QWidget* parent);

    PanelHead& head() const { return *m_head; }
    QVBoxLayout& column() const { return *m_column; } // its first item is the head
    // Adds a table as the last item of the column, with all the remaining space. `name` is for
    // screen readers and begins the object name: "lens" makes lensTable.
    SortedTable* addTable(const QString& name, QAbstractItemModel& model, int sortRole);

private:
    QString m_stem;
    PanelHead* m_head;
    QVBoxLayout* m_column;
};

} // namespace lapidary
