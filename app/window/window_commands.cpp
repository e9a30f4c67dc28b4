// SPDX-License-Identifier: Apache-2.0
#include "app/window/window_commands.h"

#include "app/base/install_paths.h"
#include "app/window/key_list.h"
#include "app/window/main_window.h"
#include "app/window/window_docks.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/fact_view.h"
#include "views/panels/node_panel.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMessageBox>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

Document* WindowCommands::document() const
{
    return m_window.document();
}

GraphCanvas* WindowCommands::canvas() const
{
    return m_window.canvas();
}

ItemId WindowCommands::selected() const
{
    return document() != nullptr ? document()->selected() : ItemId{};
}

std::vector<NodeId> WindowCommands::selectedNodes() const
{
    if (document() == nullptr || !document()->preparation())
        return {};
    std::vector<NodeId> nodes;
    std::vector<bool> isTaken(document()->preparation()->graph().size(), false);
    std::vector<ItemId> open = document()->selection();
    while (!open.empty()) {
        const ItemId at = open.back();
        open.pop_back();
        if (at.isNode()) {
            if (!isTaken[at.node().value])
                nodes.push_back(at.node());
            isTaken[at.node().value] = true;
            continue;
        }
        const auto& children = document()->preparation()->tree().group(at.group()).children;
        open.insert(open.end(), children.begin(), children.end());
    }
    std::ranges::sort(nodes);
    return nodes;
}

void WindowCommands::find()
{
    m_window.focusSearch();
}

void WindowCommands::clearSearch()
{
    m_window.clearSearch();
}

void WindowCommands::palette()
{
    m_window.openPalette();
}

void WindowCommands::step(int by)
{
    if (hasHits())
        document()->search().step(by);
    else if (hasDifferences())
        stepDifference(by);
    else
        stepProblem(by);
}

void WindowCommands::stepTab(int by)
{
    m_window.stepTab(by);
}

void WindowCommands::back()
{
    canvas()->goBack();
}

void WindowCommands::forward()
{
    canvas()->goForward();
}

void WindowCommands::fitAll()
{
    canvas()->fitAll();
}

void WindowCommands::fitSelection()
{
    canvas()->fitSelection();
}

void WindowCommands::zoomIn()
{
    canvas()->zoomIn();
}

void WindowCommands::zoomOut()
{
    canvas()->zoomOut();
}

void WindowCommands::zoom100()
{
    canvas()->zoomTo100();
}

void WindowCommands::toggleSelected()
{
    document()->toggle(selected());
}

void WindowCommands::collapseParent()
{
    const ScopeTree& tree = document()->preparation()->tree();
    const ItemId item = selected();
    const bool isOpen = !item.isNode() && document()->openGroups().contains(item.group());
    const GroupId group = isOpen ? item.group() : tree.parentOf(item);
    if (!group.isValid() || group == rootGroup)
        return;
    document()->collapse(group);
    document()->select(ItemId::of(group));
}

void WindowCommands::keepSelected()
{
    document()->keepSelected();
}

void WindowCommands::selectAllBoxes()
{
    document()->selectItems(canvas()->visibleItems(), false);
}

void WindowCommands::expandInside()
{
    const ItemId item = selected();
    document()->expandInside(item.isValid() && !item.isNode() ? item.group() : rootGroup);
}

void WindowCommands::expandAll()
{
    document()->expandAll();
}

void WindowCommands::collapseAll()
{
    document()->collapseAll();
}

void WindowCommands::toggleDirection()
{
    document()->setDirection(isLeftToRight() ? Direction::Down : Direction::Right);
}

void WindowCommands::colorBy(ColorMode mode)
{
    document()->setColorMode(mode);
}

void WindowCommands::themeSystem()
{
    m_window.setThemeChoice(ThemeChoice::System);
}

void WindowCommands::themeLight()
{
    m_window.setThemeChoice(ThemeChoice::Light);
}

void WindowCommands::themeDark()
{
    m_window.setThemeChoice(ThemeChoice::Dark);
}

void WindowCommands::toggleOutline()
{
    m_window.docks().outline()->setVisible(!isOutlineShown());
}

void WindowCommands::toggleInterface()
{
    m_window.docks().interface()->setVisible(!isInterfaceShown());
}

void WindowCommands::toggleNode()
{
    m_window.docks().node()->setVisible(!isNodeShown());
}

void WindowCommands::toggleTables()
{
    m_window.docks().tables()->setVisible(!areTablesShown());
}

void WindowCommands::focusCanvas()
{
    canvas()->setFocus(Qt::ShortcutFocusReason);
}

void WindowCommands::toggleFullScreen()
{
    m_window.setWindowState(m_window.windowState() ^ Qt::WindowFullScreen);
}

void WindowCommands::details()
{
    m_window.docks().node()->show();
    m_window.docks().nodePanel()->facts()->setFocus();
}

void WindowCommands::walk(int key)
{
    canvas()->setFocus();
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(canvas(), &press);
}

void WindowCommands::walkDown()
{
    walk(Qt::Key_Down);
}

void WindowCommands::walkUp()
{
    walk(Qt::Key_Up);
}

void WindowCommands::walkLeft()
{
    walk(Qt::Key_Left);
}

void WindowCommands::walkRight()
{
    walk(Qt::Key_Right);
}

void WindowCommands::cancelJob()
{
    document()->cancelWork();
}

void WindowCommands::keys()
{
    showKeyList(&m_window);
}

void WindowCommands::handbook()
{
    const auto page = helpFolder() / "index.md";
    if (std::error_code ignored; !std::filesystem::exists(page, ignored))
        m_window.notice(u"The handbook is not installed beside the program"_s);
    else
        showHandbook(&m_window, QString::fromStdString(page.string()));
}

void WindowCommands::about()
{
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, u"About Lapidary"_s,
        u"Lapidary %1\nInspect, cut and polish TensorFlow graphs.\n\n"
        u"Licensed under the Apache License 2.0."_s.arg(QApplication::applicationVersion()),
        QMessageBox::Close, &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace lapidary
