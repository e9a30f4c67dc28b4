// SPDX-License-Identifier: Apache-2.0
// The actions that judge a graph by a folder of pictures.
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/window_parts.h"
#include "app/window/run/picture_controller.h"
#include "app/window/run/run_actions.h"

#include <QDockWidget>

namespace lapidary {

namespace {

bool canRunPictures(const ActionContext& c)
{
    return c.window.pictures->canRun();
}

QString whyNotRunPictures(const ActionContext& c)
{
    return c.window.pictures->whyNotRun();
}

void togglePictures(const ActionContext& c)
{
    if (c.window.pictures->isShown())
        c.window.docks->tables()->hide();
    else
        c.window.pictures->show();
}

constexpr ActionSpec pictureRows[]{
    {.id = "view.pictures",
     .label = "Pictures",
     .help = "Shows or hides the evaluation on a folder of pictures.",
     .key = "Shift+F3",
     .menu = "View/Panels",
     .run = togglePictures,
     .isChecked = [](const ActionContext& c) { return c.window.pictures->isShown(); }},
    {.id = "pictures.evaluate",
     .label = "Evaluate on pictures",
     .help = "Runs the graph on a folder of pictures and counts the right answers.",
     .key = "Alt+F8",
     .menu = "Graph",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.window.pictures->evaluate(); },
     .isEnabled = canRunPictures,
     .obstacle = whyNotRunPictures},
    {.id = "pictures.nextWrong",
     .label = "Next wrong picture",
     .help = "Feeds the next misclassified picture, or one on which two states differ.",
     .key = "W",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.pictures->goToNextWrong(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->pictures().found() != nullptr;
         },
     .needs = "Evaluate the graph on pictures first (Alt+F8)"},
    {.id = "pictures.observe",
     .label = "Observe ranges\u2026",
     .help = "Measures the ranges of an 8-bit graph on the pictures and freezes them in the "
             "recipe.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.pictures->askToObserve(); },
     .isEnabled = canRunPictures,
     .obstacle = whyNotRunPictures},
    {.id = "pictures.folder",
     .label = "Choose pictures\u2026",
     .help = "Chooses the folder of pictures to evaluate the graph on.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.pictures->chooseImages(); },
     .isEnabled = hasScene},
    {.id = "pictures.labels",
     .label = "Choose labels\u2026",
     .help = "Chooses the file with the class names, one per line.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.pictures->chooseLabels(); },
     .isEnabled = hasScene},
};

} // namespace

const std::span<const ActionSpec> pictureActions = pictureRows;

} // namespace lapidary
