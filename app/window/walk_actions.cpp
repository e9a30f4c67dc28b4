// SPDX-License-Identifier: Apache-2.0
// The end of the menu "Graph": walking from box to box, and stopping what takes too long.
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/menu_tables.h"
#include "views/canvas/graph_canvas.h"

#include <QApplication>
#include <QKeyEvent>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

void walk(GraphCanvas& canvas, int key)
{
    canvas.setFocus();
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(&canvas, &press);
}

constexpr ActionSpec walkRows[]{
    {.id = "graph.down",
     .label = "Go to a consumer",
     .help = "Selects a consumer of the selected node.",
     .key = "Down",
     .menu = "Graph/Walk",
     .startsGroup = true,
     .scope = KeyScope::CanvasOwn,
     .run = [](const ActionContext& c) { walk(*c.canvas, Qt::Key_Down); },
     .isEnabled = hasScene},
    {.id = "graph.up",
     .label = "Go to a producer",
     .help = "Selects a producer of the selected node.",
     .key = "Up",
     .menu = "Graph/Walk",
     .scope = KeyScope::CanvasOwn,
     .run = [](const ActionContext& c) { walk(*c.canvas, Qt::Key_Up); },
     .isEnabled = hasScene},
    {.id = "graph.left",
     .label = "Go to the left",
     .help = "Selects the sibling to the left.",
     .key = "Left",
     .menu = "Graph/Walk",
     .scope = KeyScope::CanvasOwn,
     .run = [](const ActionContext& c) { walk(*c.canvas, Qt::Key_Left); },
     .isEnabled = hasScene},
    {.id = "graph.right",
     .label = "Go to the right",
     .help = "Selects the sibling to the right.",
     .key = "Right",
     .menu = "Graph/Walk",
     .scope = KeyScope::CanvasOwn,
     .run = [](const ActionContext& c) { walk(*c.canvas, Qt::Key_Right); },
     .isEnabled = hasScene},
    {.id = "graph.cancel",
     .label = "Stop the running job",
     .help = "Stops reading, laying out, searching or running.",
     .key = "Ctrl+.",
     .menu = "Graph",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.document->cancelWork(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->work().isBusy();
         },
     .needs = "Nothing is running"},
};

} // namespace

const std::span<const ActionSpec> walkActions = walkRows;

} // namespace lapidary
