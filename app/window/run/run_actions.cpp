// SPDX-License-Identifier: Apache-2.0
// The actions that feed a graph and show the values that it computes.
#include "app/window/run/run_actions.h"

#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/document/range_trials.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/window_parts.h"
#include "app/window/run/lens_controller.h"
#include "app/window/run/run_controller.h"
#include "app/window/run/value_files.h"

#include <QDockWidget>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::string_view needsValue = "Compute a value first (V)";
constexpr std::string_view needsInputs = "Mark a node as an input first (I)";

bool hasValue(const ActionContext& c)
{
    return c.document != nullptr && c.window.runs->report() != nullptr;
}

bool hasInputs(const ActionContext& c)
{
    return hasScene(c) && !c.document->feeds().inputs().empty();
}

bool hasSets(const ActionContext& c)
{
    return hasInputs(c) && !c.document->feeds().setNames().empty();
}

void toggleFeeds(const ActionContext& c)
{
    if (c.window.runs->areFeedsShown())
        c.window.docks->tables()->hide();
    else
        c.window.runs->showFeeds();
}

void toggleValues(const ActionContext& c)
{
    if (c.window.runs->areValuesShown())
        c.window.docks->tables()->hide();
    else
        c.window.runs->showValues();
}

void askForLabels(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Open labels"_s, u"Labels (*.txt);;All files (*)"_s,
        [runs = c.window.runs](const QString& path) { runs->readLabels(path); });
}

constexpr ActionSpec runRows[]{
    {.id = "view.run",
     .label = "Run",
     .help = "Shows or hides the feeds of the inputs.",
     .key = "Shift+F7",
     .menu = "View/Panels",
     .run = toggleFeeds,
     .isChecked = [](const ActionContext& c) { return c.window.runs->areFeedsShown(); }},
    {.id = "view.values",
     .label = "Values",
     .help = "Shows or hides the values of the selected node.",
     .key = "Shift+F4",
     .menu = "View/Panels",
     .run = toggleValues,
     .isChecked = [](const ActionContext& c) { return c.window.runs->areValuesShown(); }},
    {.id = "run.here",
     .label = "Run to here",
     .help = "Computes the selected node or scope from the feeds and shows its values.",
     .key = "V",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.runs->runHere(); },
     .isEnabled = [](const ActionContext& c) { return c.window.runs->whyNotHere().isEmpty(); },
     .obstacle = [](const ActionContext& c) { return c.window.runs->whyNotHere(); }},
    {.id = "run.outputs",
     .label = "Run to the output",
     .help = "Computes the first output, or the boxes of a detector, and shows its values.",
     .key = "Alt+F5",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->runOutputs(); },
     .isEnabled =
         [](const ActionContext& c) {
             return hasScene(c) && canProfile(*c.document) &&
                    !c.document->interface().choice().outputs.empty();
         },
     .needs = "Mark a node as an output first (O)",
     .obstacle = [](const ActionContext& c) { return whyNotRun(*c.document); }},
    {.id = "run.chooseFile",
     .label = "Feed a file\u2026",
     .help = "Chooses a picture or another file to feed to the current input.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->chooseFile(); },
     .isEnabled = hasInputs,
     .needs = needsInputs},
    {.id = "run.copyLine",
     .label = "Copy run as command line",
     .help = "Copies the feeds and fetches as a lapidary run command.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->copyLine(); },
     .isEnabled = hasInputs,
     .needs = needsInputs},
    {.id = "run.pasteLine",
     .label = "Paste run from command line",
     .help = "Takes feeds, sizes and outputs from a lapidary run command in the clipboard.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->pasteLine(); },
     .isEnabled = hasScene},
    {.id = "run.keepSet",
     .label = "Keep feeds under a name",
     .help = "Saves the sources and sizes of all inputs as a named set.",
     .key = "Shift+Alt+F7",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->nameSet(); },
     .isEnabled = hasInputs,
     .needs = needsInputs},
    {.id = "run.nextSet",
     .label = "Feed the next set",
     .help = "Feeds the next named set.",
     .key = "Alt+F7",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->useNextSet(); },
     .isEnabled = hasSets,
     .needs = "Keep feeds under a name first (Shift+Alt+F7)"},
    {.id = "run.forgetSet",
     .label = "Forget the set that is fed",
     .help = "Forgets the name of the current feeds; the feeds stay.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->forgetSet(); },
     .isEnabled =
         [](const ActionContext& c) {
             return hasSets(c) && !c.document->feeds().currentSet().empty();
         },
     .needs = "What is fed has no name"},
    {.id = "run.reset",
     .label = "Reset feeds",
     .help = "Feeds random numbers to every input again.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.document->feeds().reset(); },
     .isEnabled = hasInputs,
     .needs = needsInputs},
    {.id = "lens.compare",
     .label = "Compare numbers with the original",
     .help = "Runs the original and the shown state, and lists the error of each tensor.",
     .key = "Q",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.window.lens->show();
             compareNumbers(*c.document);
         },
     .isEnabled =
         [](const ActionContext& c) {
             return hasScene(c) && canProfile(*c.document) && !c.document->lens().isBusy();
         },
     .needs = "The numbers are being compared; Ctrl+. stops it",
     .obstacle = [](const ActionContext& c) { return whyNotRun(*c.document); }},
    {.id = "lens.next",
     .label = "Next tensor that differs",
     .help = "Goes to the next tensor whose signal-to-noise ratio is below the threshold.",
     .key = "E",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.lens->goToNext(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->lens().found() != nullptr;
         },
     .needs = "Compare the numbers first (Q)"},
    {.id = "lens.editRange",
     .label = "Change the range",
     .help = "Tries another range for the chosen 8-bit tensor and shows the resulting errors.",
     .key = "Shift+E",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.lens->editRange(); },
     .isEnabled = [](const ActionContext& c) { return c.window.lens->canEditRange(); },
     .needs = "Compare the numbers first (Q), and choose a tensor that is rounded to 8 bits"},
    {.id = "lens.keepRange",
     .label = "Keep the range",
     .help = "Adds a step to the recipe that sets the tried range.",
     .key = "Shift+Q",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.lens->keepRange(); },
     .isEnabled =
         [](const ActionContext& c) { return c.document != nullptr && canKeepRange(*c.document); },
     .needs = "Try another range first (Shift+E)"},
    {.id = "value.save",
     .label = "Save value\u2026",
     .help = "Writes the shown value as .npy, .csv or .png.",
     .menu = "Graph",
     .run =
         [](const ActionContext& c) {
             askToSaveValue(c.window, c.window.runs->report(), c.window.runs->tensor());
         },
     .isEnabled = hasValue,
     .needs = needsValue},
    {.id = "value.copy",
     .label = "Copy value",
     .help = "Copies the shown value as lines of numbers.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.runs->copyValue(); },
     .isEnabled = hasValue,
     .needs = needsValue},
    {.id = "value.labels",
     .label = "Open labels\u2026",
     .help = "Loads class names for the largest values, one per line.",
     .menu = "Graph",
     .run = askForLabels,
     .isEnabled = hasScene},
    {.id = "value.forget",
     .label = "Forget values",
     .help = "Releases all computed values.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.document->values().clear(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->values().store().count() > 0;
         },
     .needs = "No value was computed"},
};

} // namespace

const std::span<const ActionSpec> runActions = runRows;

} // namespace lapidary
