// SPDX-License-Identifier: Apache-2.0
#include "app/actions/action_table.h"

#include "app/actions/transform_actions.h"
#include "app/window/window_commands.h"

#include <algorithm>
#include <array>
#include <string>

namespace lapidary {
namespace {

using C = WindowCommands;
constexpr KeyScope onCanvas = KeyScope::Canvas;
constexpr KeyScope byCanvas = KeyScope::CanvasOwn;

constexpr ActionSpec fileActions[]{
    {"file.open", "Open\u2026", "Opens a model file in a tab of its own.", "Ctrl+O", "open", "File",
     false, KeyScope::Window, &C::open},
    {"file.openFolder", "Open folder\u2026", "Opens a SavedModel folder.", "Ctrl+Shift+O", "",
     "File", false, KeyScope::Window, &C::openFolder},
    {"file.reload", "Reload", "Reads the file again.", "Ctrl+R", "", "File", false,
     KeyScope::Window, &C::reload, &C::hasFile},
    {"file.close", "Close tab", "Closes the file of this tab.", "Ctrl+W", "", "File", false,
     KeyScope::Window, &C::closeTab, &C::hasTab},
    {"file.saveAs", "Save as\u2026",
     "Writes the model as .pb or .pbtxt, whichever the name ends with.", "Ctrl+Shift+S", "", "File",
     true, KeyScope::Window, &C::saveAs, &C::hasGraph},
    {"file.exportPicture", "Export picture\u2026", "Writes the whole picture as PNG, SVG or PDF.",
     "Ctrl+E", "", "File", false, KeyScope::Window, &C::exportPicture, &C::hasScene},
    {"file.exportVisible", "Export visible part\u2026",
     "Writes what the window shows as PNG, SVG or PDF.", "Ctrl+Shift+E", "", "File", false,
     KeyScope::Window, &C::exportVisible, &C::hasScene},
    {"file.exportDot", "Export DOT\u2026",
     "Writes the graph for Graphviz, with scopes as clusters.", "", "", "File", false,
     KeyScope::Window, &C::exportDot, &C::hasGraph},
    {"file.openSession", "Open session\u2026",
     "Opens what a session file holds: models, recipes, what was open and where.", "", "", "File",
     true, KeyScope::Window, &C::openSession},
    {"file.saveSession", "Save session\u2026",
     "Writes all that is open, with its recipes and views, to a file of its own.", "Ctrl+Alt+S", "",
     "File", false, KeyScope::Window, &C::saveSession, &C::hasTab},
    {"file.quit", "Quit", "Closes every file and ends the program.", "Ctrl+Q", "", "File", true,
     KeyScope::Window, &C::quit},
};

constexpr ActionSpec editActions[]{
    {"edit.copyName", "Copy name", "Copies the full name of the selected node or scope.",
     "Ctrl+Shift+C", "", "Edit", false, KeyScope::Window, &C::copyName, &C::hasSelection},
    {"edit.keepSelected", "Keep selected",
     "Keeps the selected box selected while the arrow keys go on to others, or no longer.",
     "Ctrl+Space", "", "Edit", false, onCanvas, &C::keepSelected, &C::hasSelection},
    {"edit.selectAll", "Select all boxes", "Selects every box that is in view.", "Ctrl+A", "",
     "Edit", false, onCanvas, &C::selectAllBoxes, &C::hasScene},
    {"edit.copyPicture", "Copy picture", "Copies the visible part of the picture.", "Ctrl+Alt+C",
     "", "Edit", false, KeyScope::Window, &C::copyPicture, &C::hasScene},
    {"edit.copyTransformFlags", "Copy as transform_graph flags",
     "Copies the chosen inputs and outputs as transform_graph takes them.", "", "",
     "Edit/Copy interface", false, KeyScope::Window, &C::copyTransformFlags, &C::hasInterface},
    {"edit.copyBenchmarkFlags", "Copy as benchmark_model flags",
     "Copies the chosen inputs and outputs as benchmark_model takes them.", "", "",
     "Edit/Copy interface", false, KeyScope::Window, &C::copyBenchmarkFlags, &C::hasInterface},
    {"edit.copyFreezeFlags", "Copy as freeze_graph flags",
     "Copies the chosen outputs as freeze_graph takes them.", "", "", "Edit/Copy interface", false,
     KeyScope::Window, &C::copyFreezeFlags, &C::hasInterface},
    {"edit.copyPython", "Copy as Python", "Copies the chosen inputs and outputs as Python lists.",
     "", "", "Edit/Copy interface", false, KeyScope::Window, &C::copyPython, &C::hasInterface},
    {"edit.find", "Find",
     "Searches names, ops, attributes, types and shapes by regular expressions.", "Ctrl+F", "",
     "Edit", true, KeyScope::Window, &C::find},
    {"edit.findOnCanvas", "Find from the canvas", "Goes to the search field.", "/", "", "", false,
     onCanvas, &C::find},
    {"edit.findNext", "Next hit", "Goes to the next hit, difference or problem.", "N", "", "Edit",
     false, onCanvas, &C::findNext, &C::canStep},
    {"edit.findPrevious", "Previous hit", "Goes to the previous hit, difference or problem.", "P",
     "", "Edit", false, onCanvas, &C::findPrevious, &C::canStep},
    {"edit.clearSearch", "Clear search", "Empties the search field and takes its marks away.", "",
     "", "Edit", false, KeyScope::Window, &C::clearSearch, &C::hasQuery},
    {"edit.palette", "Command palette", "Finds any action by its name.", "Ctrl+Shift+P", "", "Edit",
     true, KeyScope::Window, &C::palette},
};

constexpr ActionSpec viewActions[]{
    {"view.back", "Back", "Goes back to where the view was before the last jump.", "Alt+Left",
     "back", "View", false, KeyScope::Window, &C::back, &C::canGoBack},
    {"view.forward", "Forward", "Goes forward again.", "Alt+Right", "forward", "View", false,
     KeyScope::Window, &C::forward, &C::canGoForward},
    {"view.fitAll", "Fit all", "Shows the whole picture.", "Shift+F", "fit", "View", true, onCanvas,
     &C::fitAll, &C::hasScene},
    {"view.fitSelection", "Fit selection", "Shows all of the selected box.", "F", "", "View", false,
     onCanvas, &C::fitSelection, &C::hasSelection},
    {"view.zoomIn", "Zoom in", "Shows less, larger.", "Ctrl++", "", "View", false, KeyScope::Window,
     &C::zoomIn, &C::hasScene},
    {"view.zoomOut", "Zoom out", "Shows more, smaller.", "Ctrl+-", "", "View", false,
     KeyScope::Window, &C::zoomOut, &C::hasScene},
    {"view.zoom100", "Zoom to 100 %", "Shows boxes and text at their own size.", "Ctrl+0", "",
     "View", false, KeyScope::Window, &C::zoom100, &C::hasScene},
    {"view.toggle", "Open or close scope", "Opens the selected scope, or closes it.", "Return", "",
     "View", true, byCanvas, &C::toggleSelected, &C::hasGroupSelected},
    {"view.collapseParent", "Close the scope around", "Closes the scope that holds the selection.",
     "Backspace", "", "View", false, byCanvas, &C::collapseParent, &C::hasSelection},
    {"view.expandInside", "Open one level inside",
     "Opens every scope directly in the selected one.", "Shift+Return", "", "View", false, onCanvas,
     &C::expandInside, &C::hasScene},
    {"view.expandAll", "Expand all", "Opens every scope.", "Ctrl+Shift+Right", "expand", "View",
     false, KeyScope::Window, &C::expandAll, &C::hasScene},
    {"view.collapseAll", "Collapse all", "Closes every scope.", "Ctrl+Shift+Left", "collapse",
     "View", false, KeyScope::Window, &C::collapseAll, &C::hasScene},
    {"view.direction", "Left to right", "Draws the graph from left to right instead of downwards.",
     "Ctrl+D", "direction", "View", true, KeyScope::Window, &C::toggleDirection, &C::hasScene,
     &C::isLeftToRight},
    {"view.colorFamily", "Op family", "Colors boxes by what kind of work they do.", "Ctrl+1", "",
     "View/Color by", false, KeyScope::Window, &C::colorByFamily, &C::hasScene, &C::isByFamily},
    {"view.colorStructure", "Repeated structure", "Gives scopes of equal structure one color.",
     "Ctrl+2", "", "View/Color by", false, KeyScope::Window, &C::colorByStructure, &C::hasScene,
     &C::isByStructure},
    {"view.colorDevice", "Device", "Colors boxes by the device they are placed on.", "Ctrl+3", "",
     "View/Color by", false, KeyScope::Window, &C::colorByDevice, &C::hasScene, &C::isByDevice},
    {"view.colorType", "Type", "Colors boxes by the type of their first output.", "Ctrl+4", "",
     "View/Color by", false, KeyScope::Window, &C::colorByType, &C::hasScene, &C::isByType},
    {"view.colorTime", "Time", "Colors boxes by their measured time.", "Ctrl+5", "",
     "View/Color by", true, KeyScope::Window, &C::colorByTime, &C::hasProfile, &C::isByTime},
    {"view.colorMemory", "Memory", "Colors boxes by the measured bytes of their outputs.", "Ctrl+6",
     "", "View/Color by", false, KeyScope::Window, &C::colorByMemory, &C::hasProfile,
     &C::isByMemory},
    {"view.colorFlops", "Operations", "Colors boxes by their floating-point operations.", "Ctrl+7",
     "", "View/Color by", false, KeyScope::Window, &C::colorByFlops, &C::hasProfile, &C::isByFlops},
    {"view.themeSystem", "As the system", "Light or dark as the system is.", "", "", "View/Theme",
     false, KeyScope::Window, &C::themeSystem, nullptr, &C::isThemeSystem},
    {"view.themeLight", "Light", "Dark text on a light window.", "", "", "View/Theme", false,
     KeyScope::Window, &C::themeLight, nullptr, &C::isThemeLight},
    {"view.themeDark", "Dark", "Light text on a dark window.", "", "", "View/Theme", false,
     KeyScope::Window, &C::themeDark, nullptr, &C::isThemeDark},
    {"view.outline", "Outline", "Shows or hides the tree of scopes.", "F2", "", "View/Panels",
     false, KeyScope::Window, &C::toggleOutline, nullptr, &C::isOutlineShown},
    {"view.interface", "Interface", "Shows or hides the inputs and outputs.", "F3", "",
     "View/Panels", false, KeyScope::Window, &C::toggleInterface, nullptr, &C::isInterfaceShown},
    {"view.node", "Node", "Shows or hides what is known of the selection.", "F4", "", "View/Panels",
     false, KeyScope::Window, &C::toggleNode, nullptr, &C::isNodeShown},
    {"view.tables", "Tables", "Shows or hides the tables below the canvas.", "F6", "",
     "View/Panels", false, KeyScope::Window, &C::toggleTables, nullptr, &C::areTablesShown},
    {"view.profile", "Profile", "Shows or hides the table of the profile.", "Shift+F6", "",
     "View/Panels", false, KeyScope::Window, &C::toggleProfile, nullptr, &C::isProfileShown},
    {"view.nextTab", "Next tab", "Goes to the next file.", "Ctrl+PgDown", "", "View", true,
     KeyScope::Window, &C::nextTab, &C::hasTabs},
    {"view.previousTab", "Previous tab", "Goes to the previous file.", "Ctrl+PgUp", "", "View",
     false, KeyScope::Window, &C::previousTab, &C::hasTabs},
    {"view.focusCanvas", "Go to the canvas", "Gives the canvas the focus, for its keys.", "Ctrl+G",
     "", "View", false, KeyScope::Window, &C::focusCanvas, &C::hasTab},
    {"view.fullScreen", "Full screen", "Uses the whole screen, or goes back.", "F11", "", "View",
     false, KeyScope::Window, &C::toggleFullScreen, nullptr, &C::isFullScreen},
};

constexpr ActionSpec graphActions[]{
    {"graph.markInput", "Mark as input", "Makes the selected node an input, or no longer one.", "I",
     "", "Graph", false, onCanvas, &C::markInput, &C::hasNodeSelected, &C::isMarkedInput},
    {"graph.markOutput", "Mark as output", "Makes the selected node an output, or no longer one.",
     "O", "", "Graph", false, onCanvas, &C::markOutput, &C::hasNodeSelected, &C::isMarkedOutput},
    {"graph.showKept", "Show what is kept",
     "Dims everything that the chosen inputs and outputs would prune.", "K", "", "Graph", false,
     onCanvas, &C::toggleKept, &C::hasOutputs, &C::isKeptShown},
    {"graph.resetInterface", "Reset inputs and outputs", "Goes back to the likely ones.", "", "",
     "Graph", false, KeyScope::Window, &C::resetInterface, &C::hasScene},
    {"graph.traceUp", "Trace upstream", "Dims everything that the selection does not depend on.",
     "U", "", "Graph", true, onCanvas, &C::traceUp, &C::hasSelection},
    {"graph.traceDown", "Trace downstream",
     "Dims everything that does not depend on the selection.", "D", "", "Graph", false, onCanvas,
     &C::traceDown, &C::hasSelection},
    {"graph.pathStart", "Start a path here", "Remembers the selected node as one end of a path.",
     "S", "", "Graph", false, onCanvas, &C::startPath, &C::hasNodeSelected},
    {"graph.pathEnd", "Paths to here", "Shows every path between the remembered node and this one.",
     "T", "", "Graph", false, onCanvas, &C::endPath, &C::canEndPath},
    {"graph.clearTrace", "Clear trace", "Brings everything back to full strength.", "Escape", "",
     "Graph", false, onCanvas, &C::clearTrace, &C::hasScene},
    {"graph.details", "Details", "Goes to the panel of the selected node.", "Space", "", "Graph",
     true, byCanvas, &C::details, &C::hasSelection},
    {"graph.openFunction", "Open called function", "Opens the body of the function that is called.",
     "Ctrl+Return", "", "Graph", false, KeyScope::Window, &C::openFunction, &C::callsFunction},
    {"graph.closeFunction", "Back to the caller", "Leaves the body of a function.", "Alt+Up", "",
     "Graph", false, KeyScope::Window, &C::closeFunction, &C::isInFunction},
    {"graph.showAlone", "Show on its own", "Gives a node that is drawn inside another a box.", "B",
     "", "Graph", true, onCanvas, &C::showAlone, &C::isFolded},
    {"graph.takeApart", "Take group apart", "Undoes a group that was found by structure.", "", "",
     "Graph", false, KeyScope::Window, &C::takeApart, &C::isFoundGroup},
    {"graph.resetStructure", "Reset grouping", "Folds and groups as at first.", "", "", "Graph",
     false, KeyScope::Window, &C::resetStructure, &C::hasOwnStructure},
    {"graph.hideOp", "Hide this op", "Hides every node of the selected node's op.", "H", "",
     "Graph", true, onCanvas, &C::hideOp, &C::hasNodeSelected},
    {"graph.hideSelected", "Hide selection", "Hides the selected node or scope.", "Delete", "",
     "Graph", false, onCanvas, &C::hideSelected, &C::hasSelection},
    {"graph.hideHits", "Hide all hits", "Hides every node that the search found.", "", "", "Graph",
     false, KeyScope::Window, &C::hideHits, &C::hasHits},
    {"graph.showHidden", "Show hidden nodes", "Brings back everything that was hidden.", "Shift+H",
     "", "Graph", false, onCanvas, &C::showHidden, &C::hasHidden},
    {"graph.nextProblem", "Next problem", "Goes to the next node with a problem.", "F8", "",
     "Graph", true, KeyScope::Window, &C::nextProblem, &C::hasProblems},
    {"graph.previousProblem", "Previous problem", "Goes to the previous node with a problem.",
     "Shift+F8", "", "Graph", false, KeyScope::Window, &C::previousProblem, &C::hasProblems},
    {"graph.compare", "Compare with\u2026", "Shows what differs from another model, side by side.",
     "Ctrl+K", "compare", "Graph", true, KeyScope::Window, &C::compare, &C::hasScene},
    {"graph.compareTab", "Compare with the next tab",
     "Shows what differs from the graph of the next tab, side by side.", "", "", "Graph", false,
     KeyScope::Window, &C::compareTab, &C::canCompareTab},
    {"graph.compareOriginal", "Compare with the original",
     "Shows what the recipe changed so far, side by side.", "Ctrl+Shift+K", "", "Graph", false,
     KeyScope::Window, &C::compareOriginal, &C::hasStateBefore},
    {"graph.comparePrevious", "Compare with the state before",
     "Shows what the last step changed, side by side.", "Alt+K", "", "Graph", false,
     KeyScope::Window, &C::comparePrevious, &C::hasStateBefore},
    {"graph.compareAdd", "Add to the comparison\u2026",
     "Shows one more model beside those that are compared; four at most.", "Ctrl+Alt+K", "",
     "Graph", false, KeyScope::Window, &C::compareAdd, &C::canAddToComparison},
    {"graph.compareAddState", "Add a state to the comparison\u2026",
     "Shows one more state of the recipe beside those that are compared.", "Shift+Alt+K", "",
     "Graph", false, KeyScope::Window, &C::compareAddState, &C::canAddState},
    {"graph.nextDifference", "Next difference", "Goes to the next place that differs.", "Ctrl+F8",
     "", "Graph", false, KeyScope::Window, &C::nextDifference, &C::hasDifferences},
    {"graph.previousDifference", "Previous difference", "Goes to the previous place that differs.",
     "Ctrl+Shift+F8", "", "Graph", false, KeyScope::Window, &C::previousDifference,
     &C::hasDifferences},
    {"graph.otherSide", "Go to the other side",
     "Gives the next one of the compared graphs the focus.", "X", "", "Graph", false, onCanvas,
     &C::otherSide, &C::isComparing},
    {"graph.closePane", "Close this side",
     "Takes the graph that has the focus out of the comparison.", "Shift+X", "", "Graph", false,
     onCanvas, &C::closePane, &C::canClosePane},
    {"graph.endCompare", "Stop comparing", "Closes the graphs beside.", "", "", "Graph", false,
     KeyScope::Window, &C::endCompare, &C::isComparing},
    {"graph.profile", "Run and profile",
     "Runs the graph with random numbers in its inputs and measures every node.", "F5", "run",
     "Graph", true, KeyScope::Window, &C::runProfile, &C::canProfile},
    {"graph.openProfile", "Open profile\u2026",
     "Shows a log of benchmark_model, RunMetadata or a trace on the graph.", "Shift+F5", "",
     "Graph", false, KeyScope::Window, &C::openProfile, &C::canOpenProfile},
    {"graph.clearProfile", "Clear profile", "Takes the measured profile away.", "", "", "Graph",
     false, KeyScope::Window, &C::clearProfile, &C::hasProfile},
    {"graph.down", "Go to a consumer", "Selects a node that reads the selected one.", "Down", "",
     "Graph/Walk", true, byCanvas, &C::walkDown, &C::hasScene},
    {"graph.up", "Go to a producer", "Selects a node that the selected one reads.", "Up", "",
     "Graph/Walk", false, byCanvas, &C::walkUp, &C::hasScene},
    {"graph.left", "Go to the left", "Selects the sibling at the left.", "Left", "", "Graph/Walk",
     false, byCanvas, &C::walkLeft, &C::hasScene},
    {"graph.right", "Go to the right", "Selects the sibling at the right.", "Right", "",
     "Graph/Walk", false, byCanvas, &C::walkRight, &C::hasScene},
    {"graph.cancel", "Stop the running job", "Stops reading, laying out, searching or running.",
     "Ctrl+.", "", "Graph", true, KeyScope::Window, &C::cancelJob, &C::isBusy},
};

constexpr ActionSpec helpActions[]{
    {"help.keys", "Keys", "Lists every key.", "?", "", "Help", false, onCanvas, &C::keys},
    {"help.handbook", "Handbook", "Opens the handbook.", "F1", "", "Help", false, KeyScope::Window,
     &C::handbook},
    {"help.about", "About Lapidary", "Version and license.", "", "", "Help", true, KeyScope::Window,
     &C::about},
};

constexpr std::size_t tableSize = std::size(fileActions) + std::size(editActions) +
                                  std::size(viewActions) + std::size(graphActions) +
                                  std::size(transformActions) + std::size(helpActions);

constexpr std::array<ActionSpec, tableSize> joinedTable()
{
    std::array<ActionSpec, tableSize> all{};
    std::size_t at = 0;
    for (const std::span<const ActionSpec> part :
         {std::span<const ActionSpec>(fileActions), std::span<const ActionSpec>(editActions),
          std::span<const ActionSpec>(viewActions), std::span<const ActionSpec>(graphActions),
          std::span<const ActionSpec>(transformActions), std::span<const ActionSpec>(helpActions)})
        for (const ActionSpec& spec : part)
            all[at++] = spec;
    return all;
}

constexpr std::array<ActionSpec, tableSize> table = joinedTable();

constexpr std::array<std::string_view, 8> toolbar{
    "file.open",      "view.back",        "view.forward",  "view.fitAll",
    "view.expandAll", "view.collapseAll", "graph.compare", "graph.profile",
};

} // namespace

std::span<const ActionSpec> actionTable()
{
    return table;
}

const ActionSpec* findAction(std::string_view id)
{
    // Scripts that were written for an earlier version spell it as British English does.
    constexpr std::string_view formerPrefix = "view.colour";
    std::string current(id);
    if (id.starts_with(formerPrefix))
        current.replace(0, formerPrefix.size(), "view.color");
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const auto& spec) { return spec.id == current; });
    return found == table.end() ? nullptr : &*found;
}

std::span<const std::string_view> toolbarActions()
{
    return toolbar;
}

} // namespace lapidary
