// SPDX-License-Identifier: Apache-2.0
// The menu "Graph": actions on one graph.
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/document/selected_nodes.h"
#include "app/window/docks/window_docks.h"
#include "app/window/menu_tables.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/step_problems.h"
#include "app/window/parts/window_parts.h"
#include "graph_model/graph/function.h"
#include "views/models/display_text.h"
#include "views/panels/base/fact_view.h"
#include "views/panels/node_panel.h"

#include <QDockWidget>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

NodeId selectedNode(const ActionContext& c)
{
    return c.document->selection().item().node();
}

bool isMarked(const ActionContext& c, InterfaceSide side)
{
    return hasNodeSelected(c) && c.document->interface().isMarked(side, selectedNode(c));
}

void mark(const ActionContext& c, InterfaceSide side)
{
    if (!hasNodeSelected(c))
        return c.window.status->notice(
            u"A scope cannot be an %1; open it (Enter) and mark one of its nodes"_s.arg(
                side == InterfaceSide::Inputs ? u"input"_s : u"output"_s));
    const std::string tensor =
        std::string(c.document->graph()->node(selectedNode(c)).name()) + ":0";
    c.document->interface().mark(side, tensor, !isMarked(c, side));
    c.window.status->notice(
        u"%1 is %2 an %3"_s.arg(plainText(tensor), isMarked(c, side) ? u"now"_s : u"no longer"_s,
                                side == InterfaceSide::Inputs ? u"input"_s : u"output"_s));
}

bool isKeptShown(const ActionContext& c)
{
    return c.document != nullptr && c.document->interface().isShowingKept();
}

void startPath(const ActionContext& c)
{
    c.document->highlight().startPath(selectedNode(c));
    c.window.status->notice(u"Paths start at %1; go to the other end and press T"_s.arg(
        plainText(c.document->graph()->node(selectedNode(c)).name())));
}

void clearTrace(const ActionContext& c)
{
    c.document->highlight().clearTrace();
    c.document->interface().setShowKept(false);
}

void showDetails(const ActionContext& c)
{
    c.window.docks->node()->show();
    c.window.docks->nodePanel()->facts()->setFocus();
}

std::vector<FunctionPtr> functionsOfSelected(const ActionContext& c)
{
    if (!hasNodeSelected(c) || c.document->graph()->functions() == nullptr)
        return {};
    const Graph& graph = *c.document->graph();
    return calledFunctions(graph, graph.node(selectedNode(c)), *graph.functions());
}

bool callsFunction(const ActionContext& c)
{
    return !functionsOfSelected(c).empty();
}

void openFunction(const ActionContext& c)
{
    c.document->graphs().openFunction(std::string(functionsOfSelected(c).front()->name));
}

void showAlone(const ActionContext& c)
{
    c.document->picture().change([&c](PictureLook& look) { look.showAlone(selectedNode(c)); });
}

const Group& selectedGroup(const ActionContext& c)
{
    return c.document->picture().view()->tree().group(c.document->selection().item().group());
}

bool isFoundGroup(const ActionContext& c)
{
    if (!hasGroupSelected(c))
        return false;
    const GroupKind kind = selectedGroup(c).kind;
    return kind != GroupKind::Scope && kind != GroupKind::Root;
}

void takeApart(const ActionContext& c)
{
    c.document->picture().change(
        [&c](PictureLook& look) { look.apart.push_back(selectedGroup(c).path); });
}

void hideOp(const ActionContext& c)
{
    c.document->picture().change([&c](PictureLook& look) {
        look.hiddenOps.insert(std::string(c.document->graph()->node(selectedNode(c)).op()));
    });
}

void hideSelected(const ActionContext& c)
{
    c.document->picture().change(
        [&c](PictureLook& look) { look.hide(selectedNodes(*c.document)); });
    c.document->selection().select({});
}

void hideHits(const ActionContext& c)
{
    std::vector<NodeId> nodes;
    for (const SearchHit& hit : c.document->search().answer().hits)
        nodes.push_back(hit.node);
    c.document->picture().change([&nodes](PictureLook& look) { look.hide(nodes); });
}

constexpr ActionSpec graphRows[]{
    {.id = "graph.markInput",
     .label = "Mark as input",
     .help = "Marks the selected node as an input, or unmarks it.",
     .key = "I",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { mark(c, InterfaceSide::Inputs); },
     .isEnabled = hasSelection,
     .needs = needsSelection,
     .isChecked = [](const ActionContext& c) { return isMarked(c, InterfaceSide::Inputs); }},
    {.id = "graph.markOutput",
     .label = "Mark as output",
     .help = "Marks the selected node as an output, or unmarks it.",
     .key = "O",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { mark(c, InterfaceSide::Outputs); },
     .isEnabled = hasSelection,
     .needs = needsSelection,
     .isChecked = [](const ActionContext& c) { return isMarked(c, InterfaceSide::Outputs); }},
    {.id = "graph.showKept",
     .label = "Show what is kept",
     .help = "Dims every node that the chosen inputs and outputs would prune.",
     .key = "K",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.document->interface().setShowKept(!isKeptShown(c)); },
     .isEnabled =
         [](const ActionContext& c) {
             return hasScene(c) && !c.document->interface().choice().outputs.empty();
         },
     .needs = "Choose outputs first (O)",
     .isChecked = isKeptShown},
    {.id = "graph.resetInterface",
     .label = "Reset inputs and outputs",
     .help = "Restores the likely inputs and outputs.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.document->interface().reset(); },
     .isEnabled = hasScene},
    {.id = "graph.traceUp",
     .label = "Trace upstream",
     .help = "Dims every node that the selection does not depend on.",
     .key = "U",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.document->highlight().traceUp(selectedNodes(*c.document));
         },
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "graph.traceDown",
     .label = "Trace downstream",
     .help = "Dims every node that does not depend on the selection.",
     .key = "D",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.document->highlight().traceDown(selectedNodes(*c.document));
         },
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "graph.pathStart",
     .label = "Start a path here",
     .help = "Remembers the selected node as one end of a path.",
     .key = "S",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = startPath,
     .isEnabled = hasNodeSelected,
     .needs = needsNode},
    {.id = "graph.pathEnd",
     .label = "Paths to here",
     .help = "Shows every path between the remembered node and this one.",
     .key = "T",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.document->highlight().tracePathsTo(c.document->selection().item().node());
         },
     .isEnabled =
         [](const ActionContext& c) {
             return hasNodeSelected(c) && c.document->highlight().pathStart().isValid();
         },
     .needs = "Select a node, and start a path at another one first (S)"},
    {.id = "graph.clearTrace",
     .label = "Clear trace",
     .help = "Removes the dimming.",
     .key = "Escape",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = clearTrace,
     .isEnabled = hasScene},
    {.id = "graph.details",
     .label = "Details",
     .help = "Goes to the panel of the selected node.",
     .key = "Space",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::CanvasOwn,
     .run = showDetails,
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "graph.openFunction",
     .label = "Open called function",
     .help = "Opens the body of the called function.",
     .key = "Ctrl+Return",
     .menu = "Graph",
     .run = openFunction,
     .isEnabled = callsFunction,
     .needs = "Select a node that calls a function first"},
    {.id = "graph.closeFunction",
     .label = "Back to the caller",
     .help = "Returns from the body of a function to its caller.",
     .key = "Alt+Up",
     .menu = "Graph",
     .run =
         [](const ActionContext& c) {
             c.document->graphs().closeFunctions(int(c.document->graphs().path().size()) - 2);
         },
     .isEnabled =
         [](const ActionContext& c) { return hasGraph(c) && c.document->graphs().isInFunction(); },
     .needs = "No function is shown"},
    {.id = "graph.showAlone",
     .label = "Show on its own",
     .help = "Draws a node as its own box instead of inside another.",
     .key = "B",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = showAlone,
     .isEnabled =
         [](const ActionContext& c) {
             return hasNodeSelected(c) && c.document->picture().preparation()->hidden(
                                              c.document->selection().item().node()) != nullptr;
         },
     .needs = "Select a node that is drawn inside another one first"},
    {.id = "graph.takeApart",
     .label = "Take group apart",
     .help = "Ungroups a group that was detected by structure.",
     .menu = "Graph",
     .run = takeApart,
     .isEnabled = isFoundGroup,
     .needs = "Select a group that was found by structure first"},
    {.id = "graph.resetStructure",
     .label = "Reset grouping",
     .help = "Restores the initial folding and grouping.",
     .menu = "Graph",
     .run =
         [](const ActionContext& c) {
             c.document->picture().change([](PictureLook& look) { look.resetStructure(); });
         },
     .isEnabled =
         [](const ActionContext& c) {
             return hasScene(c) && c.document->picture().look().hasOwnStructure();
         },
     .needs = "Folding and grouping are restored"},
    {.id = "graph.hideOp",
     .label = "Hide this op",
     .help = "Hides every node of the selected node's op.",
     .key = "H",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = hideOp,
     .isEnabled = hasNodeSelected,
     .needs = needsNode},
    {.id = "graph.hideSelected",
     .label = "Hide selection",
     .help = "Hides the selected node or scope.",
     .key = "Delete",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = hideSelected,
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "graph.hideHits",
     .label = "Hide all hits",
     .help = "Hides every node that matches the search.",
     .menu = "Graph",
     .run = hideHits,
     .isEnabled = hasHits,
     .needs = needsHits},
    {.id = "graph.showHidden",
     .label = "Show hidden nodes",
     .help = "Shows all hidden nodes again.",
     .key = "Shift+H",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.document->picture().change([](PictureLook& look) { look.showHidden(); });
         },
     .isEnabled =
         [](const ActionContext& c) {
             return hasScene(c) && c.document->picture().look().hasHidden();
         },
     .needs = "Nothing is hidden"},
    {.id = "graph.nextProblem",
     .label = "Next problem",
     .help = "Goes to the next node with a problem.",
     .key = "F8",
     .menu = "Graph",
     .startsGroup = true,
     .run = [](const ActionContext& c) { stepProblem(c, 1); },
     .isEnabled = hasProblems,
     .needs = "The graph has no problems"},
    {.id = "graph.previousProblem",
     .label = "Previous problem",
     .help = "Goes to the previous node with a problem.",
     .key = "Shift+F8",
     .menu = "Graph",
     .run = [](const ActionContext& c) { stepProblem(c, -1); },
     .isEnabled = hasProblems,
     .needs = "The graph has no problems"},
};

} // namespace

const std::span<const ActionSpec> graphActions = graphRows;

} // namespace lapidary
