// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSize>

#include <vector>

class QDockWidget;
class QMainWindow;

namespace lapidary {

// Keeps space for the picture. In a small window the panels beside it become narrow and the tables
// low; while graphs are compared all of them are hidden.
class DockRoom : public QObject {
    Q_OBJECT
public:
    explicit DockRoom(QMainWindow* window);

    // Called after the window or a panel was resized. Panels that leave enough space keep their
    // size.
    void fit();
    // Hides the panels for a comparison, or shows the hidden ones again. The tables are shown if
    // the compared graphs leave space for them. The user can show any panel meanwhile.
    void setComparing(bool isComparing);
    bool isComparing() const { return m_isComparing; }

private:
    struct Hidden {
        QDockWidget* dock = nullptr;
        QSize size;
        bool isInFront = false; // in front of the other docks in its area
    };
    std::vector<QDockWidget*> shownIn(Qt::DockWidgetArea area) const;
    int widthOf(Qt::DockWidgetArea area) const;
    bool hasRoomForTables() const;
    void hideAll();
    void showAgain();

    QMainWindow* m_window;
    std::vector<Hidden> m_hidden;
    std::vector<QDockWidget*> m_shown; // tables that a comparison opened
    bool m_isComparing = false;
};

} // namespace lapidary
