// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/dock_room.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

// The picture's minimum share of the width of the window, and the tables' maximum share of its
// height.
constexpr int wideWindow = 1440;
constexpr double leastShareOfWide = 0.6;
constexpr double leastShare = 0.5;
constexpr double mostOfTables = 1.0 / 3;
// The minimum share of the window's height for compared graphs when the tables are shown.
constexpr double leastOfCompared = 0.65;
constexpr int usualTables = 240;

} // namespace

DockRoom::DockRoom(QMainWindow* window)
    : QObject(window)
    , m_window(window)
{
}

std::vector<QDockWidget*> DockRoom::shownIn(Qt::DockWidgetArea area) const
{
    std::vector<QDockWidget*> docks;
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
        if (!dock->isHidden() && !dock->isFloating() && m_window->dockWidgetArea(dock) == area)
            docks.push_back(dock);
    return docks;
}

// Only the current one of several tabbed docks has the size of the area.
int DockRoom::widthOf(Qt::DockWidgetArea area) const
{
    int width = 0;
    for (const QDockWidget* dock : shownIn(area))
        if (!dock->visibleRegion().isEmpty() || !m_window->isVisible())
            width = std::max(width, dock->width());
    return width;
}

void DockRoom::fit()
{
    m_window->layout()->activate();
    const std::vector<QDockWidget*> left = shownIn(Qt::LeftDockWidgetArea);
    const std::vector<QDockWidget*> right = shownIn(Qt::RightDockWidgetArea);
    const int leftWidth = widthOf(Qt::LeftDockWidgetArea);
    const int rightWidth = widthOf(Qt::RightDockWidgetArea);
    const double share = m_window->width() >= wideWindow ? leastShareOfWide : leastShare;
    const int most = int(m_window->width() * (1 - share)) - 2; // without the lines between them
    if (const int both = leftWidth + rightWidth; both > most) {
        QList<QDockWidget*> docks;
        QList<int> widths;
        for (const auto& [side, width] :
             {std::pair(&left, leftWidth), std::pair(&right, rightWidth)})
            for (QDockWidget* dock : *side) {
                docks.append(dock);
                widths.append(most * width / both);
            }
        m_window->resizeDocks(docks, widths, Qt::Horizontal);
    }
    const int tallest = int(m_window->height() * mostOfTables);
    for (QDockWidget* dock : shownIn(Qt::BottomDockWidgetArea))
        if (dock->height() > tallest)
            m_window->resizeDocks({dock}, {tallest}, Qt::Vertical);
}

bool DockRoom::hasRoomForTables() const
{
    int room = m_window->centralWidget()->height();
    for (const QDockWidget* dock : shownIn(Qt::BottomDockWidgetArea))
        room += dock->height();
    return room - usualTables >= int(m_window->height() * leastOfCompared);
}

void DockRoom::setComparing(bool isComparing)
{
    if (std::exchange(m_isComparing, isComparing) == isComparing)
        return;
    if (isComparing)
        hideAll();
    else
        showAgain();
}

void DockRoom::hideAll()
{
    const bool keepsTables = hasRoomForTables();
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
        const bool isTables = m_window->dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
        if (dock->isHidden() || dock->isFloating() || (isTables && keepsTables))
            continue;
        m_hidden.push_back({dock, dock->size(), !dock->visibleRegion().isEmpty()});
    }
    for (const Hidden& hidden : m_hidden)
        hidden.dock->hide();
    if (!keepsTables)
        return;
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
        if (!dock->isHidden() || m_window->dockWidgetArea(dock) != Qt::BottomDockWidgetArea)
            continue;
        dock->show();
        m_shown.push_back(dock);
    }
}

void DockRoom::showAgain()
{
    QList<QDockWidget*> docks;
    QList<int> widths;
    QList<int> heights;
    for (QDockWidget* dock : std::exchange(m_shown, {}))
        dock->hide();
    const std::vector<Hidden> all = std::exchange(m_hidden, {});
    for (const Hidden& hidden : all) {
        hidden.dock->show();
        if (!hidden.isInFront)
            continue;
        docks.append(hidden.dock);
        widths.append(hidden.size.width());
        heights.append(hidden.size.height());
    }
    m_window->layout()->activate(); // hidden docks have no sizes to change
    for (QDockWidget* dock : docks)
        dock->raise();
    m_window->resizeDocks(docks, widths, Qt::Horizontal);
    m_window->resizeDocks(docks, heights, Qt::Vertical);
}

} // namespace lapidary
