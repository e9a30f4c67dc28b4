// SPDX-License-Identifier: Apache-2.0
// The actions that find the layers that suffer from fewer bits.
#include "app/window/docks/window_docks.h"
#include "app/window/parts/window_parts.h"
#include "app/window/run/run_actions.h"
#include "app/window/run/sensitivity_controller.h"

#include <QDockWidget>

namespace lapidary {

namespace {

void toggleSensitivity(const ActionContext& c)
{
    if (c.window.sensitivity->isShown())
        c.window.docks->tables()->hide();
    else
        c.window.sensitivity->show();
}

constexpr ActionSpec sensitivityRows[]{
    {.id = "view.sensitivity",
     .label = "Sensitivity",
     .help = "Shows or hides the table of the quantization noise of each layer.",
     .menu = "View/Panels",
     .run = toggleSensitivity,
     .isChecked = [](const ActionContext& c) { return c.window.sensitivity->isShown(); }},
    {.id = "sensitivity.measure",
     .label = "Measure the sensitivity of layers",
     .help =
         "Quantizes one layer at a time to 8 bits, measures the noise and colors the graph by it.",
     .key = "Shift+Z",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.sensitivity->measure(); },
     .isEnabled = [](const ActionContext& c) { return c.window.sensitivity->canRun(); },
     .obstacle = [](const ActionContext& c) { return c.window.sensitivity->whyNotRun(); }},
    {.id = "sensitivity.next",
     .label = "Next worst layer",
     .help = "Goes to the layer with the most noise, then to the next worst.",
     .key = "Z",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.sensitivity->goToNext(); },
     .isEnabled = [](const ActionContext& c) { return c.window.sensitivity->hasFound(); },
     .needs = "Measure the sensitivity of layers first (Shift+Z)"},
};

} // namespace

const std::span<const ActionSpec> sensitivityActions = sensitivityRows;

} // namespace lapidary
