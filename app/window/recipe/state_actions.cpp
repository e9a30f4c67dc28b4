// SPDX-License-Identifier: Apache-2.0
// The menu "Transform": recipes as text, findings, the timeline and its branches.
#include "app/document/document.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/recipe/rebuild_script.h"
#include "app/window/recipe/recipe_actions.h"
#include "app/window/recipe/recipe_conditions.h"
#include "app/window/recipe/recipe_controller.h"
#include "graph_model/base/mapped_file.h"
#include "views/models/display_text.h"
#include "views/panels/recipe/findings_table.h"
#include "views/panels/recipe/recipe_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::uint64_t largestRecipe = std::uint64_t(1) << 20;

bool hasFindings(const ActionContext& c)
{
    return hasRecipe(c) && c.window.recipes->currentStep() &&
           c.window.recipes->findings()->findings().rowCount() > 0;
}

bool hasBranches(const ActionContext& c)
{
    return hasRecipe(c) && session(c)->history().branchCount() > 1;
}

bool isTextShown(const ActionContext& c)
{
    return !c.window.recipes->dock()->isHidden() &&
           c.window.recipes->panel()->page() == RecipePanel::Page::Text;
}

void toggleText(const ActionContext& c)
{
    const bool isText = isTextShown(c);
    c.window.recipes->showPanel();
    c.window.recipes->panel()->showPage(isText ? RecipePanel::Page::Steps
                                               : RecipePanel::Page::Text);
}

void loadRecipe(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Load a recipe"_s, u"All files (*)"_s, [&window = c.window](const QString& path) {
            const auto file = openFile(path.toStdString());
            if (!file)
                return window.status->notice(plainText(file.error().message));
            if ((*file)->bytes().size() > largestRecipe)
                return window.status->notice(u"%1 is too large for a recipe"_s.arg(path));
            window.recipes->loadText(std::string((*file)->bytes()));
        });
}

std::string recipeText(const ActionContext& c)
{
    return printRecipe(recipeOf(session(c)->draft()));
}

void saveRecipe(const ActionContext& c)
{
    c.window.questions->askToWrite(
        u"Save the recipe"_s, u"recipe.txt"_s, u"All files (*)"_s,
        [writer = c.window.writer, text = recipeText(c) + "\n"](const QString& path) {
            writer->writeBytes(path, [text](const Job&) -> Result<std::string> { return text; });
        });
}

void copyRecipe(const ActionContext& c)
{
    QApplication::clipboard()->setText(QString::fromStdString(recipeText(c)));
    c.window.status->notice(u"Copied the recipe"_s);
}

void copyCommand(const ActionContext& c)
{
    const std::string command = commandFor(*c.document, *session(c));
    QApplication::clipboard()->setText(QString::fromStdString(command));
    c.window.status->notice(u"Copied: "_s + plainText(command));
}

bool canSaveScript(const ActionContext& c)
{
    return hasRecipe(c) && canRebuild(*c.document, *session(c));
}

void saveScript(const ActionContext& c)
{
    askToSaveScript(c.window, *c.document, *session(c));
}

void startBranch(const ActionContext& c)
{
    RecipeSession& recipe = *session(c);
    lapidary::startBranch(recipe);
    c.window.status->notice(u"%1 goes on from the state that is shown"_s.arg(
        plainText(recipe.history().branchName(recipe.history().branch()))));
}

void chooseNextBranch(const ActionContext& c)
{
    const RecipeHistory& history = session(c)->history();
    chooseBranch(*session(c), (history.branch() + 1) % history.branchCount());
}

constexpr ActionSpec stateRows[]{
    {.id = "recipe.text",
     .label = "Recipe as text",
     .help = "Shows the recipe as text, or as steps.",
     .key = "Ctrl+T",
     .menu = "Transform",
     .startsGroup = true,
     .run = toggleText,
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph,
     .isChecked = isTextShown},
    {.id = "recipe.load",
     .label = "Load recipe\u2026",
     .help = "Reads a recipe from a file.",
     .menu = "Transform",
     .run = loadRecipe,
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph},
    {.id = "recipe.save",
     .label = "Save recipe\u2026",
     .help = "Writes the enabled steps to a file.",
     .menu = "Transform",
     .run = saveRecipe,
     .isEnabled = hasSteps,
     .needs = needsSteps},
    {.id = "recipe.copy",
     .label = "Copy recipe",
     .help = "Copies the recipe as text.",
     .menu = "Transform",
     .run = copyRecipe,
     .isEnabled = hasSteps,
     .needs = needsSteps},
    {.id = "recipe.copyCommand",
     .label = "Copy command line",
     .help = "Copies the command for the steps up to the shown state, or for all.",
     .menu = "Transform",
     .run = copyCommand,
     .isEnabled = hasSteps,
     .needs = needsSteps},
    {.id = "recipe.saveScript",
     .label = "Save script that rebuilds\u2026",
     .help = "Writes a shell script that rebuilds the shown state from the file and checks both.",
     .menu = "Transform",
     .run = saveScript,
     .isEnabled = canSaveScript,
     .needs = "Apply a step to the file first (F9); a script cannot make what was not saved"},
    {.id = "recipe.findings",
     .label = "Show findings",
     .help = "Lists what the current step rewrites, and what it skips and why.",
     .key = "Ctrl+Shift+W",
     .menu = "Transform",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.window.recipes->showFindings(); },
     .isEnabled = hasFindings,
     .needs = "The current step finds nothing here, or none is chosen (F7)"},
    {.id = "recipe.nextFinding",
     .label = "Next finding",
     .help = "Goes to the next finding of the current step.",
     .key = "F12",
     .menu = "Transform",
     .run = [](const ActionContext& c) { c.window.recipes->findings()->step(1); },
     .isEnabled = hasFindings,
     .needs = "The current step finds nothing here, or none is chosen (F7)"},
    {.id = "recipe.previousFinding",
     .label = "Previous finding",
     .help = "Goes to the previous finding of the current step.",
     .key = "Shift+F12",
     .menu = "Transform",
     .run = [](const ActionContext& c) { c.window.recipes->findings()->step(-1); },
     .isEnabled = hasFindings,
     .needs = "The current step finds nothing here, or none is chosen (F7)"},
    {.id = "recipe.marks",
     .label = "Mark findings on the canvas",
     .help = "Marks the nodes that a step would rewrite (~) and those that it would skip.",
     .menu = "Transform",
     .run =
         [](const ActionContext& c) {
             c.window.recipes->setMarksShown(!c.window.recipes->areMarksShown());
         },
     .isChecked = [](const ActionContext& c) { return c.window.recipes->areMarksShown(); }},
    {.id = "recipe.verify",
     .label = "Check the numbers of every state",
     .help = "Compares the results of every state with the original, in the background.",
     .menu = "Transform",
     .run =
         [](const ActionContext& c) {
             session(c)->verdicts().setOn(!session(c)->verdicts().isOn());
         },
     .isEnabled = hasRecipe,
     .needs = needsOwnGraph,
     .isChecked =
         [](const ActionContext& c) { return hasRecipe(c) && session(c)->verdicts().isOn(); }},
    {.id = "state.previous",
     .label = "Previous state",
     .help = "Shows the previous state on the timeline.",
     .key = "Alt+PgUp",
     .menu = "Transform/Timeline",
     .run = [](const ActionContext& c) { c.window.recipes->stepState(-1); },
     .isEnabled =
         [](const ActionContext& c) { return hasRecipe(c) && c.window.recipes->canStepState(-1); },
     .needs = "The first state is shown"},
    {.id = "state.next",
     .label = "Next state",
     .help = "Shows the next state on the timeline.",
     .key = "Alt+PgDown",
     .menu = "Transform/Timeline",
     .run = [](const ActionContext& c) { c.window.recipes->stepState(1); },
     .isEnabled =
         [](const ActionContext& c) { return hasRecipe(c) && c.window.recipes->canStepState(1); },
     .needs = "The last state is shown"},
    {.id = "state.first",
     .label = "Original",
     .help = "Shows the original graph of the file.",
     .key = "Alt+Home",
     .menu = "Transform/Timeline",
     .run = [](const ActionContext& c) { session(c)->show(0); },
     .isEnabled = hasApplied,
     .needs = needsApplied},
    {.id = "state.last",
     .label = "Last state",
     .help = "Shows the final state of the recipe.",
     .key = "Alt+End",
     .menu = "Transform/Timeline",
     .run = [](const ActionContext& c) { session(c)->show(session(c)->applied()); },
     .isEnabled = hasApplied,
     .needs = needsApplied},
    {.id = "state.firstDifference",
     .label = "First difference",
     .help = "Goes to the first node whose numbers differ from the original's.",
     .key = "Ctrl+Shift+N",
     .menu = "Transform/Timeline",
     .run = [](const ActionContext& c) { c.window.recipes->goToFirstDifference(); },
     .isEnabled =
         [](const ActionContext& c) {
             return hasRecipe(c) && c.window.recipes->hasFirstDifference();
         },
     .needs = "No state was found to differ from the original"},
    {.id = "branch.start",
     .label = "Branch here",
     .help = "Starts a branch at the shown state and keeps the present recipe.",
     .key = "Ctrl+Shift+B",
     .menu = "Transform/Timeline",
     .run = startBranch,
     .isEnabled = hasSteps,
     .needs = needsSteps},
    {.id = "branch.next",
     .label = "Next branch",
     .help = "Goes to the next branch of the recipe.",
     .menu = "Transform/Timeline",
     .run = chooseNextBranch,
     .isEnabled = hasBranches,
     .needs = "The recipe has no other branch; begin one (Ctrl+Shift+B)"},
    {.id = "branch.remove",
     .label = "Remove branch",
     .help = "Removes this branch of the recipe.",
     .menu = "Transform/Timeline",
     .run = [](const ActionContext& c) { removeBranch(*session(c)); },
     .isEnabled = hasBranches,
     .needs = "The recipe has no other branch; begin one (Ctrl+Shift+B)"},
};

} // namespace

const std::span<const ActionSpec> stateActions = stateRows;

} // namespace lapidary
