// SPDX-License-Identifier: Apache-2.0
// The actions that compare graphs.
#include "app/window/diff/diff_actions.h"

#include "app/actions/conditions.h"
#include "app/window/parts/comparison.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/step_problems.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "views/canvas/graph_canvas.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::string_view needsComparison = "Compare the graph with another one first (Ctrl+K)";

bool isComparing(const ActionContext& c)
{
    return c.window.comparison->views() != nullptr;
}

bool hasStateBefore(const ActionContext& c)
{
    return c.window.recipes->canStepState(-1);
}

void compareWithFile(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Compare with a model"_s, modelFilter() + u";;"_s + anyFilter,
        [comparison = c.window.comparison](const QString& path) { comparison->withFile(path); });
}

void addFile(const ActionContext& c)
{
    c.window.questions->askToOpen(u"Add a model to the comparison"_s,
                                  modelFilter() + u";;"_s + anyFilter,
                                  [comparison = c.window.comparison](const QString& path) {
                                      comparison->withFile(path, true);
                                  });
}

void goToOtherSide(const ActionContext& c)
{
    ComparedViews* compared = c.window.comparison->views();
    DocumentView* other = compared->next();
    compared->setActive(other);
    other->canvas()->setFocus();
}

constexpr ActionSpec diffRows[]{
    {.id = "graph.compare",
     .label = "Compare with\u2026",
     .help = "Compares with another model, side by side.",
     .key = "Ctrl+K",
     .icon = "compare",
     .menu = "Graph",
     .startsGroup = true,
     .run = compareWithFile,
     .isEnabled = hasScene},
    {.id = "graph.compareTab",
     .label = "Compare with the next tab",
     .help = "Compares with the model of the next tab, side by side.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.comparison->withNextTab(); },
     .isEnabled = [](const ActionContext& c) { return hasScene(c) && c.window.tabs->count() > 1; },
     .needs = "No other file is open"},
    {.id = "graph.compareOriginal",
     .label = "Compare with the original",
     .help = "Compares with the graph before the recipe, side by side.",
     .key = "Ctrl+Shift+K",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.recipes->compareWithEntry(0); },
     .isEnabled = hasStateBefore,
     .needs = "The original is shown; apply a step first (F9)"},
    {.id = "graph.comparePrevious",
     .label = "Compare with the state before",
     .help = "Compares with the graph before the last step, side by side.",
     .key = "Alt+K",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.recipes->compareWithStateBefore(); },
     .isEnabled = hasStateBefore,
     .needs = "The original is shown; apply a step first (F9)"},
    {.id = "graph.compareAdd",
     .label = "Add to the comparison\u2026",
     .help = "Adds another model to the comparison; up to four.",
     .key = "Ctrl+Alt+K",
     .menu = "Graph",
     .run = addFile,
     .isEnabled =
         [](const ActionContext& c) {
             return isComparing(c) && !c.window.comparison->views()->isFull();
         },
     .needs = "Compare with something first (Ctrl+K); four graphs at most"},
    {.id = "graph.compareAddState",
     .label = "Add a state to the comparison\u2026",
     .help = "Adds another state of the recipe to the comparison.",
     .key = "Shift+Alt+K",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.recipes->chooseStateToAdd(); },
     .isEnabled = [](const ActionContext& c) { return c.window.recipes->canAddAnyState(); },
     .needs = "Compare a state first (Ctrl+Shift+K), and apply more steps (F9)"},
    {.id = "graph.nextDifference",
     .label = "Next difference",
     .help = "Goes to the next difference.",
     .key = "Ctrl+F8",
     .menu = "Graph",
     .run = [](const ActionContext& c) { stepDifference(c, 1); },
     .isEnabled = hasDifferences,
     .needs = "Nothing is compared, or nothing differs (Ctrl+K)"},
    {.id = "graph.previousDifference",
     .label = "Previous difference",
     .help = "Goes to the previous difference.",
     .key = "Ctrl+Shift+F8",
     .menu = "Graph",
     .run = [](const ActionContext& c) { stepDifference(c, -1); },
     .isEnabled = hasDifferences,
     .needs = "Nothing is compared, or nothing differs (Ctrl+K)"},
    {.id = "graph.otherSide",
     .label = "Go to the other side",
     .help = "Moves the focus to the next compared graph.",
     .key = "X",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = goToOtherSide,
     .isEnabled = isComparing,
     .needs = needsComparison},
    {.id = "graph.closePane",
     .label = "Close this side",
     .help = "Removes the focused graph from the comparison.",
     .key = "Shift+X",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.comparison->closePane(c.window.tabs->view()); },
     .isEnabled =
         [](const ActionContext& c) {
             return isComparing(c) && c.window.tabs->view() != c.window.tabs->tabView();
         },
     .needs = "The graph of the file stays; go to another side first (X)"},
    {.id = "graph.endCompare",
     .label = "Stop comparing",
     .help = "Ends the comparison and closes the other graphs.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.comparison->end(); },
     .isEnabled = isComparing,
     .needs = needsComparison},
};

} // namespace

const std::span<const ActionSpec> diffActions = diffRows;

} // namespace lapidary
