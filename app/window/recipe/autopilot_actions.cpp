// SPDX-License-Identifier: Apache-2.0
// The actions of the search for smaller files.
#include "app/document/document.h"
#include "app/window/parts/window_parts.h"
#include "app/window/recipe/autopilot_controller.h"
#include "app/window/recipe/recipe_actions.h"
#include "app/window/recipe/recipe_conditions.h"

namespace lapidary {

namespace {

constexpr ActionSpec autopilotRows[]{
    {.id = "recipe.autopilot",
     .label = "Autopilot",
     .help = "Shows the search for a small file with a storage format for each layer.",
     .key = "Alt+F9",
     .menu = "Transform",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.window.autopilot->show(); },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "autopilot.search",
     .label = "Search for smaller files",
     .help = "Builds files with layers in 8 and 16 bits, runs them and shows the best.",
     .key = "Ctrl+F9",
     .menu = "Transform",
     .run = [](const ActionContext& c) { c.window.autopilot->search(); },
     .isEnabled = [](const ActionContext& c) { return c.window.autopilot->canSearch(); },
     .obstacle = [](const ActionContext& c) { return c.window.autopilot->whyNotSearch(); }},
    {.id = "autopilot.use",
     .label = "Use the file that was found",
     .help = "Applies the recipe of the file that the autopilot or you chose.",
     .key = "Ctrl+Shift+F9",
     .menu = "Transform",
     .run = [](const ActionContext& c) { c.window.autopilot->use(); },
     .isEnabled = [](const ActionContext& c) { return c.window.autopilot->canUse(); },
     .needs = "Search for smaller files first (Ctrl+F9)"},
};

} // namespace

const std::span<const ActionSpec> autopilotActions = autopilotRows;

} // namespace lapidary
