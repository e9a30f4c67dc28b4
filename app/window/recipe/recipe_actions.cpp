// SPDX-License-Identifier: Apache-2.0
// The menu "Transform": the steps of a recipe.
#include "app/window/recipe/recipe_actions.h"

#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/document/recipe/recipe_edits.h"
#include "app/window/parts/window_parts.h"
#include "app/window/recipe/direct_edits.h"
#include "app/window/recipe/recipe_conditions.h"
#include "app/window/recipe/recipe_controller.h"
#include "graph_model/ops/op_traits.h"
#include "views/panels/recipe/recipe_panel.h"

#include <QDockWidget>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isPanelShown(const ActionContext& c)
{
    return !c.window.recipes->dock()->isHidden();
}

void togglePanel(const ActionContext& c)
{
    if (isPanelShown(c))
        c.window.recipes->dock()->hide();
    else
        c.window.recipes->showPanel();
}

void choosePass(const ActionContext& c)
{
    c.window.recipes->showPanel();
    c.window.recipes->panel()->showPage(RecipePanel::Page::Passes);
}

bool hasStep(const ActionContext& c)
{
    return hasRecipe(c) && c.window.recipes->currentStep().has_value();
}

bool canFreeze(const ActionContext& c)
{
    return hasScene(c) &&
           (c.window.recipes->edits().canEdit() || c.document->graphs().isInNetwork()) &&
           std::ranges::any_of(c.document->picture().facts().ops,
                               [](const OpCount& op) { return isStoredVariable(op.op); });
}

QString whyNotFrozen(const ActionContext& c)
{
    if (c.window.recipes->edits().canEdit() || c.document->graphs().isInNetwork())
        return u"The graph has no variables: its weights are constants already"_s;
    return c.window.recipes->edits().whyNotEdited();
}

bool canApply(const ActionContext& c)
{
    return hasRecipe(c) && session(c)->applied() < session(c)->items().size();
}

void applyNext(const ActionContext& c)
{
    session(c)->apply(appliedAfterNext(session(c)->draft()));
    c.window.recipes->followApplied();
}

void applyAll(const ActionContext& c)
{
    session(c)->apply(session(c)->items().size());
    c.window.recipes->followApplied();
}

void switchStep(const ActionContext& c)
{
    const std::size_t step = *c.window.recipes->currentStep();
    const bool isOn = session(c)->items()[step].isOn;
    session(c)->change(withSwitched(session(c)->draft(), step, !isOn));
}

void duplicateStep(const ActionContext& c)
{
    session(c)->change(withCopy(session(c)->draft(), *c.window.recipes->currentStep()));
}

constexpr ActionSpec recipeActionRows[]{
    {.id = "recipe.panel",
     .label = "Recipe",
     .help = "Shows or hides the recipe.",
     .key = "F7",
     .menu = "View/Panels",
     .run = togglePanel,
     .isChecked = isPanelShown},
    {.id = "recipe.addPass",
     .label = "Add a pass\u2026",
     .help = "Chooses a pass for the recipe from the list.",
     .key = "Ctrl+Shift+A",
     .menu = "Transform",
     .run = choosePass,
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.arm8",
     .label = "Arm's 8-bit recipe",
     .help = "Quantizes the graph to 8 bits: about a quarter of the size.",
     .menu = "Transform/Presets",
     .run = [](const ActionContext& c) { c.window.recipes->loadPreset("arm-8bit"); },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.arm8accurate",
     .label = "Accurate 8-bit recipe",
     .help = "Equalizes layers first, then quantizes only weights and layer inputs.",
     .menu = "Transform/Presets",
     .run = [](const ActionContext& c) { c.window.recipes->loadPreset("arm-8bit-accurate"); },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.arm32",
     .label = "Arm's 32-bit recipe",
     .help = "Folds constants and batch norms; the results stay the same.",
     .menu = "Transform/Presets",
     .run = [](const ActionContext& c) { c.window.recipes->loadPreset("arm-32bit"); },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.mobile",
     .label = "Clean-up for mobile devices",
     .help = "Removes training-only nodes and folds constants, in 32 bits.",
     .menu = "Transform/Presets",
     .run = [](const ActionContext& c) { c.window.recipes->loadPreset("mobile-fp32"); },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.download",
     .label = "Smaller download",
     .help = "Rounds weights, so that the file compresses well.",
     .menu = "Transform/Presets",
     .run = [](const ActionContext& c) { c.window.recipes->loadPreset("small-download"); },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.freeze",
     .label = "Freeze\u2026",
     .help = "Replaces variables by constants with their values from a checkpoint.",
     .menu = "Transform",
     .run = [](const ActionContext& c) { c.window.recipes->edits().askToFreeze(); },
     .isEnabled = canFreeze,
     .obstacle = whyNotFrozen},
    {.id = "recipe.next",
     .label = "Apply next step",
     .help = "Applies the next step of the recipe.",
     .key = "F9",
     .menu = "Transform",
     .startsGroup = true,
     .run = applyNext,
     .isEnabled = canApply,
     .needs = "No step is left to apply"},
    {.id = "recipe.all",
     .label = "Apply all steps",
     .help = "Applies the whole recipe.",
     .key = "Shift+F9",
     .menu = "Transform",
     .run = applyAll,
     .isEnabled = canApply,
     .needs = "No step is left to apply"},
    {.id = "recipe.none",
     .label = "Back to the original",
     .help = "Goes back to the original; the steps stay.",
     .menu = "Transform",
     .run = [](const ActionContext& c) { session(c)->apply(0); },
     .isEnabled = hasApplied,
     .needs = needsApplied},
    {.id = "recipe.undo",
     .label = "Undo",
     .help = "Undoes the last change of the recipe.",
     .key = "Ctrl+Z",
     .menu = "Transform",
     .run = [](const ActionContext& c) { session(c)->undo(); },
     .isEnabled =
         [](const ActionContext& c) { return hasRecipe(c) && session(c)->history().canUndo(); },
     .needs = "The recipe was not changed"},
    {.id = "recipe.redo",
     .label = "Redo",
     .help = "Redoes the change that was undone.",
     .key = "Ctrl+Shift+Z",
     .menu = "Transform",
     .run = [](const ActionContext& c) { session(c)->redo(); },
     .isEnabled =
         [](const ActionContext& c) { return hasRecipe(c) && session(c)->history().canRedo(); },
     .needs = "No change of the recipe was taken back"},
    {.id = "recipe.switch",
     .label = "Switch step on or off",
     .help = "Disables the current step, or enables it again.",
     .menu = "Transform/Step",
     .run = switchStep,
     .isEnabled = hasStep,
     .needs = "Choose a step of the recipe first (F7)"},
    {.id = "recipe.duplicate",
     .label = "Duplicate step",
     .help = "Inserts a copy of the current step.",
     .key = "Ctrl+Shift+D",
     .menu = "Transform/Step",
     .run = duplicateStep,
     .isEnabled = hasStep,
     .needs = "Choose a step of the recipe first (F7)"},
    {.id = "recipe.remove",
     .label = "Remove step",
     .help = "Removes the current step from the recipe.",
     .menu = "Transform/Step",
     .run = [](const ActionContext& c) { c.window.recipes->removeStep(); },
     .isEnabled = hasStep,
     .needs = "Choose a step of the recipe first (F7)"},
    {.id = "recipe.moveUp",
     .label = "Move step up",
     .help = "Runs the current step earlier.",
     .key = "Ctrl+Shift+Up",
     .menu = "Transform/Step",
     .run = [](const ActionContext& c) { c.window.recipes->moveStep(-1); },
     .isEnabled = hasStep,
     .needs = "Choose a step of the recipe first (F7)"},
    {.id = "recipe.moveDown",
     .label = "Move step down",
     .help = "Runs the current step later.",
     .key = "Ctrl+Shift+Down",
     .menu = "Transform/Step",
     .run = [](const ActionContext& c) { c.window.recipes->moveStep(1); },
     .isEnabled = hasStep,
     .needs = "Choose a step of the recipe first (F7)"},
    {.id = "recipe.clear",
     .label = "Remove all steps",
     .help = "Clears the recipe; undo restores it.",
     .menu = "Transform/Step",
     .run = [](const ActionContext& c) { session(c)->change({}); },
     .isEnabled = hasSteps,
     .needs = needsSteps},
};

} // namespace

const std::span<const ActionSpec> recipeActions = recipeActionRows;

} // namespace lapidary
