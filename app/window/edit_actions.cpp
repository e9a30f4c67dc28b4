// SPDX-License-Identifier: Apache-2.0
// The menu "Edit".
#include "app/actions/action_set.h"
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/menu_tables.h"
#include "app/window/parts/comparison.h"
#include "app/window/parts/copy_interface.h"
#include "app/window/parts/search_bar.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/step_problems.h"
#include "app/window/parts/window_parts.h"
#include "app/window/settings/settings_dialog.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool hasInterface(const ActionContext& c)
{
    return hasGraph(c) && !c.document->interface().choice().isEmpty();
}

void copyFlags(const ActionContext& c, FlagStyle style)
{
    copyInterface(c.window, style);
}

void copyName(const ActionContext& c)
{
    std::string names;
    for (const ItemId item : c.document->selection().items())
        names += (names.empty() ? "" : "\n") +
                 (item.isNode() ? std::string(c.document->graph()->node(item.node()).name())
                                : c.document->picture().view()->tree().group(item.group()).path);
    QApplication::clipboard()->setText(QString::fromStdString(names));
    c.window.status->notice(c.document->selection().hasSeveral()
                                ? u"Copied the names of the selection"_s
                                : u"Copied "_s + plainText(names));
}

void copyPicture(const ActionContext& c)
{
    QApplication::clipboard()->setImage(c.canvas->picture());
    c.window.status->notice(u"Copied the visible part of the picture"_s);
}

bool canStep(const ActionContext& c)
{
    return hasHits(c) || hasDifferences(c) || hasProblems(c);
}

void step(const ActionContext& c, int by)
{
    if (hasHits(c))
        c.document->search().step(by);
    else if (hasDifferences(c))
        stepDifference(c, by);
    else
        stepProblem(c, by);
}

constexpr ActionSpec editRows[]{
    {.id = "edit.copyName",
     .label = "Copy name",
     .help = "Copies the full name of the selected node or scope.",
     .key = "Ctrl+Shift+C",
     .menu = "Edit",
     .run = copyName,
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "edit.keepSelected",
     .label = "Keep selected",
     .help = "Keeps the selected box in the selection while arrow keys move on; again removes it.",
     .key = "Ctrl+Space",
     .menu = "Edit",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.document->selection().keep(); },
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "edit.selectAll",
     .label = "Select all boxes",
     .help = "Selects every visible box.",
     .key = "Ctrl+A",
     .menu = "Edit",
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.document->selection().selectItems(c.canvas->visibleItems(), false);
         },
     .isEnabled = hasScene},
    {.id = "edit.copyPicture",
     .label = "Copy picture",
     .help = "Copies the visible part of the picture.",
     .key = "Ctrl+Alt+C",
     .menu = "Edit",
     .run = copyPicture,
     .isEnabled = hasScene},
    {.id = "edit.copyTransformFlags",
     .label = "Copy as transform_graph flags",
     .help = "Copies the chosen inputs and outputs as flags of transform_graph.",
     .menu = "Edit/Copy interface",
     .run = [](const ActionContext& c) { copyFlags(c, FlagStyle::TransformGraph); },
     .isEnabled = hasInterface,
     .needs = "Choose inputs or outputs first (I and O)"},
    {.id = "edit.copyBenchmarkFlags",
     .label = "Copy as benchmark_model flags",
     .help = "Copies the chosen inputs and outputs as flags of benchmark_model.",
     .menu = "Edit/Copy interface",
     .run = [](const ActionContext& c) { copyFlags(c, FlagStyle::BenchmarkModel); },
     .isEnabled = hasInterface,
     .needs = "Choose inputs or outputs first (I and O)"},
    {.id = "edit.copyFreezeFlags",
     .label = "Copy as freeze_graph flags",
     .help = "Copies the chosen outputs as flags of freeze_graph.",
     .menu = "Edit/Copy interface",
     .run = [](const ActionContext& c) { copyFlags(c, FlagStyle::FreezeGraph); },
     .isEnabled = hasInterface,
     .needs = "Choose inputs or outputs first (I and O)"},
    {.id = "edit.copyPython",
     .label = "Copy as Python",
     .help = "Copies the chosen inputs and outputs as Python lists.",
     .menu = "Edit/Copy interface",
     .run = [](const ActionContext& c) { copyFlags(c, FlagStyle::Python); },
     .isEnabled = hasInterface,
     .needs = "Choose inputs or outputs first (I and O)"},
    {.id = "edit.find",
     .label = "Find",
     .help = "Searches names, ops, attributes, types and shapes by regular expressions.",
     .key = "Ctrl+F",
     .menu = "Edit",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.window.search->focus(); }},
    {.id = "edit.findOnCanvas",
     .label = "Find from the canvas",
     .help = "Goes to the search field.",
     .key = "/",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.search->focus(); }},
    {.id = "edit.findNext",
     .label = "Next hit",
     .help = "Goes to the next hit, difference or problem.",
     .key = "N",
     .menu = "Edit",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { step(c, 1); },
     .isEnabled = canStep,
     .needs = "There is no hit, difference or problem to go to"},
    {.id = "edit.findPrevious",
     .label = "Previous hit",
     .help = "Goes to the previous hit, difference or problem.",
     .key = "P",
     .menu = "Edit",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { step(c, -1); },
     .isEnabled = canStep,
     .needs = "There is no hit, difference or problem to go to"},
    {.id = "edit.clearSearch",
     .label = "Clear search",
     .help = "Clears the search field and its highlights.",
     .menu = "Edit",
     .run = [](const ActionContext& c) { c.window.search->clear(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && !c.document->search().query().isEmpty();
         },
     .needs = "The search field is empty"},
    {.id = "edit.palette",
     .label = "Command palette",
     .help = "Finds any action by its name.",
     .key = "Ctrl+Shift+P",
     .menu = "Edit",
     .startsGroup = true,
     .run =
         [](const ActionContext& c) {
             c.window.palette->open(c.window.actions->paletteEntries());
         }},
    {.id = "edit.settings",
     .label = "Settings\u2026",
     .help = "Opens the settings: mouse wheel, theme, animation and limits of runs.",
     .key = "Ctrl+,",
     .menu = "Edit",
     .startsGroup = true,
     .run =
         [](const ActionContext& c) {
             showSettings(*c.window.settings, *c.window.theme, c.window.window);
         }},
};

} // namespace

const std::span<const ActionSpec> editActions = editRows;

} // namespace lapidary
