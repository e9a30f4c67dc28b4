// SPDX-License-Identifier: Apache-2.0
// When the actions of the table can run, and which of them are ticked.
#include "app/window/document_view.h"
#include "app/window/main_window.h"
#include "app/window/window_commands.h"
#include "app/window/window_docks.h"
#include "graph_model/graph/function.h"
#include "views/canvas/graph_canvas.h"

#include <QDockWidget>

namespace lapidary {

bool WindowCommands::hasFile() const
{
    return document() != nullptr && !document()->path().empty();
}

bool WindowCommands::hasTab() const
{
    return document() != nullptr;
}

bool WindowCommands::hasTabs() const
{
    return m_window.tabCount() > 1;
}

bool WindowCommands::hasGraph() const
{
    return document() != nullptr && document()->graph() != nullptr;
}

bool WindowCommands::hasScene() const
{
    return hasGraph() && document()->scene() != nullptr && document()->preparation() != nullptr &&
           document()->preparation()->sharedGraph() == document()->graph();
}

bool WindowCommands::hasSelection() const
{
    return hasScene() && selected().isValid();
}

bool WindowCommands::hasNodeSelected() const
{
    return hasSelection() && selected().isNode();
}

bool WindowCommands::hasGroupSelected() const
{
    return hasSelection() && !selected().isNode();
}

bool WindowCommands::hasInterface() const
{
    return hasGraph() && !document()->interface().choice().isEmpty();
}

bool WindowCommands::hasOutputs() const
{
    return hasScene() && !document()->interface().choice().outputs.empty();
}

bool WindowCommands::hasHits() const
{
    return hasScene() && !document()->search().answer().hits.empty();
}

bool WindowCommands::hasQuery() const
{
    return hasTab() && !document()->search().query().isEmpty();
}

bool WindowCommands::canGoBack() const
{
    return canvas() != nullptr && canvas()->canGoBack();
}

bool WindowCommands::canGoForward() const
{
    return canvas() != nullptr && canvas()->canGoForward();
}

bool WindowCommands::canEndPath() const
{
    return hasNodeSelected() && m_pathStart.isValid() && m_pathGraph == document()->graph();
}

bool WindowCommands::callsFunction() const
{
    if (!hasNodeSelected() || document()->graph()->functions() == nullptr)
        return false;
    const Graph& graph = *document()->graph();
    return !calledFunctions(graph, graph.node(selected().node()), *graph.functions()).empty();
}

bool WindowCommands::isInFunction() const
{
    return hasGraph() && document()->graphPath().size() > 1;
}

bool WindowCommands::isFolded() const
{
    return hasNodeSelected() && document()->preparation()->hidden(selected().node()) != nullptr;
}

bool WindowCommands::isFoundGroup() const
{
    if (!hasGroupSelected())
        return false;
    const GroupKind kind = document()->preparation()->tree().group(selected().group()).kind;
    return kind != GroupKind::Scope && kind != GroupKind::Root;
}

bool WindowCommands::hasOwnStructure() const
{
    return hasScene() && document()->hasOwnStructure();
}

bool WindowCommands::hasHidden() const
{
    return hasScene() && document()->hasHidden();
}

bool WindowCommands::hasProblems() const
{
    return hasGraph() && !document()->problems().empty();
}

bool WindowCommands::isBusy() const
{
    return document() != nullptr && document()->isBusy();
}

bool WindowCommands::isLeftToRight() const
{
    return document() != nullptr && document()->direction() == Direction::Right;
}

bool WindowCommands::isColoredBy(ColorMode mode) const
{
    return document() != nullptr && document()->colorMode() == mode;
}

bool WindowCommands::isThemeSystem() const
{
    return m_window.themeChoice() == ThemeChoice::System;
}

bool WindowCommands::isThemeLight() const
{
    return m_window.themeChoice() == ThemeChoice::Light;
}

bool WindowCommands::isThemeDark() const
{
    return m_window.themeChoice() == ThemeChoice::Dark;
}

bool WindowCommands::isOutlineShown() const
{
    return !m_window.docks().outline()->isHidden();
}

bool WindowCommands::isInterfaceShown() const
{
    return !m_window.docks().interface()->isHidden();
}

bool WindowCommands::isNodeShown() const
{
    return !m_window.docks().node()->isHidden();
}

bool WindowCommands::areTablesShown() const
{
    return !m_window.docks().tables()->isHidden();
}

bool WindowCommands::isFullScreen() const
{
    return m_window.isFullScreen();
}

bool WindowCommands::isMarked(InterfaceSide side) const
{
    return hasNodeSelected() && document()->interface().isMarked(side, selected().node());
}

bool WindowCommands::isKeptShown() const
{
    return document() != nullptr && document()->interface().isShowingKept();
}

} // namespace lapidary
