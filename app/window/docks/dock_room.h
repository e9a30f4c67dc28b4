// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSize>

#include <vector>

class QDockWidget;
class QMainWindow;

namespace lapidary {

// Keeps room for the picture: in a small window the panels beside it become narrow and the tables
// low, and while graphs are compared all of them give way until the comparison ends.
class DockRoom : public QObject {
    Q_OBJECT
public:
    explicit DockRoom(QMainWindow* window);

    // After the window or a panel got another size. Panels that leave enough room stay as they are.
    void fit();
    // Hides the panels, or shows those again that this hid; the tables are shown where the compared
    // graphs leave room for them. The user can show any panel meanwhile.
    void setComparing(bool isComparing);
    bool isComparing() const { return m_isComparing; }

private:
    struct Hidden {
        QDockWidget* dock = nullptr;
        QSize size;
        bool isInFront = false; // of those that share its place
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
