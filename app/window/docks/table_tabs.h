// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <QTabWidget>

#include <array>

class QHBoxLayout;
class QToolButton;

namespace lapidary {

class TablePage;

// The subject of a table below the canvas.
enum class TableGroup { Graph, Recipe, Run, Measurement };

// The tables below the canvas. There are too many for one row of tabs: a switch to the left of the
// tabs chooses a group, and the tabs are those of its tables. They have no other header, because
// tables are low, so the close button follows the tabs.
class TableTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit TableTabs(QWidget* parent = nullptr);

    // Adds a table after those of its group, and takes ownership of it. `tip`: a description of the
    // table, with its key.
    void addTable(QWidget* table, TableGroup group, const QString& title, const QString& tip);
    void removeTable(const QWidget* table); // and deletes it
    void showTable(const QWidget* table);
    bool isCurrent(const QWidget* table) const;
    int tabOf(const QWidget* table) const; // -1 if it was not added

signals:
    void closeRequested();

private:
    static constexpr std::size_t groupCount = 4;

    QWidget* buildClose();
    void showGroupOf(int tab);
    void choose(TableGroup group);
    TableGroup groupOf(int tab) const;
    TablePage* pageAt(int tab) const;

    std::array<QToolButton*, groupCount> m_switch{};
    std::array<QPointer<QWidget>, groupCount> m_last; // the table of each group that was shown last
};

} // namespace lapidary
