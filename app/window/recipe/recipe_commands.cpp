// SPDX-License-Identifier: Apache-2.0
// What the actions of the menu "Transform" do, and when they can.
#include "app/window/document_view.h"
#include "app/window/main_window.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/window_commands.h"
#include "app/window/window_docks.h"
#include "graph_model/base/mapped_file.h"
#include "transforms/recipe/repro_script.h"
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

// The steps up to the state that is shown; all where that is the original.
Recipe shownRecipe(const RecipeSession& session)
{
    RecipeDraft draft = session.draft();
    if (session.shown() > 0)
        draft.items.resize(std::min(draft.items.size(), session.shown()));
    return recipeOf(draft);
}

} // namespace

RecipeController& WindowCommands::recipes() const
{
    return m_window.recipes();
}

RecipeSession* WindowCommands::recipe() const
{
    RecipeSession* session = recipes().session(); // also where a graph beside has the focus
    return session != nullptr && session->base() ? session : nullptr;
}

void WindowCommands::toggleRecipe()
{
    if (isRecipeShown())
        recipes().dock()->hide();
    else
        recipes().showPanel();
}

void WindowCommands::addPass()
{
    recipes().showPanel();
    recipes().panel()->showPage(RecipePanel::Page::Passes);
}

void WindowCommands::applyNext()
{
    recipe()->applyNext();
    recipes().followApplied();
}

void WindowCommands::applyAll()
{
    recipe()->applyAll();
    recipes().followApplied();
}

void WindowCommands::applyNone()
{
    recipe()->apply(0);
}

void WindowCommands::undoRecipe()
{
    recipe()->undo();
}

void WindowCommands::redoRecipe()
{
    recipe()->redo();
}

void WindowCommands::switchStep()
{
    const std::size_t step = *recipes().currentStep();
    recipe()->setOn(step, !recipe()->items()[step].isOn);
}

void WindowCommands::duplicateStep()
{
    recipe()->duplicate(*recipes().currentStep());
}

void WindowCommands::removeStep()
{
    recipes().removeStep();
}

void WindowCommands::moveStepUp()
{
    recipes().moveStep(-1);
}

void WindowCommands::moveStepDown()
{
    recipes().moveStep(1);
}

void WindowCommands::clearRecipe()
{
    recipe()->setDraft({});
}

void WindowCommands::loadPreset(std::string_view name)
{
    recipes().loadPreset(name);
}

void WindowCommands::loadRecipe()
{
    askToOpen(u"Load a recipe"_s, u"All files (*)"_s, [this](const QString& path) {
        const auto file = openFile(path.toStdString());
        if (!file)
            return m_window.notice(plainText(file.error().message));
        if ((*file)->bytes().size() > largestRecipe)
            return m_window.notice(u"%1 is too large for a recipe"_s.arg(path));
        recipes().loadText(std::string((*file)->bytes()));
    });
}

void WindowCommands::saveRecipe()
{
    const std::string text = printRecipe(recipeOf(recipe()->draft())) + "\n";
    askForFile(u"Save the recipe"_s, u"recipe.txt"_s, u"All files (*)"_s,
               [this, text](const QString& path) {
                   m_window.startWriting(
                       path, [text](const Job&) -> Result<std::string> { return text; });
               });
}

void WindowCommands::copyRecipe()
{
    QApplication::clipboard()->setText(
        QString::fromStdString(printRecipe(recipeOf(recipe()->draft()))));
    m_window.notice(u"Copied the recipe"_s);
}

void WindowCommands::copyCommand()
{
    Reproduction made;
    made.input = document()->path();
    made.inputs = recipe()->ends().inputs;
    made.outputs = recipe()->ends().outputs;
    made.recipe = shownRecipe(*recipe());
    made.result = "out.pb";
    made.graphNumber = chosenGraph();
    const std::string command = transformCommand(made);
    QApplication::clipboard()->setText(QString::fromStdString(command));
    m_window.notice(u"Copied: "_s + plainText(command));
}

void WindowCommands::toggleRecipeText()
{
    const bool isText = isRecipeText();
    recipes().showPanel();
    recipes().panel()->showPage(isText ? RecipePanel::Page::Steps : RecipePanel::Page::Text);
}

void WindowCommands::showFindings()
{
    recipes().showFindings();
}

void WindowCommands::nextFinding()
{
    recipes().findings()->step(1);
}

void WindowCommands::previousFinding()
{
    recipes().findings()->step(-1);
}

void WindowCommands::toggleFindingMarks()
{
    recipes().setMarksShown(!recipes().areMarksShown());
}

void WindowCommands::toggleVerify()
{
    recipe()->setVerifying(!recipe()->isVerifying());
}

void WindowCommands::startBranch()
{
    recipe()->startBranch();
    m_window.notice(u"%1 goes on from the state that is shown"_s.arg(
        plainText(recipe()->history().branchName(recipe()->history().branch()))));
}

void WindowCommands::nextBranch()
{
    const RecipeHistory& history = recipe()->history();
    recipe()->chooseBranch((history.branch() + 1) % history.branchCount());
}

void WindowCommands::removeBranch()
{
    recipe()->removeBranch();
}

void WindowCommands::firstState()
{
    recipe()->show(0);
}

void WindowCommands::lastState()
{
    recipe()->show(recipe()->applied());
}

void WindowCommands::previousState()
{
    recipes().stepState(-1);
}

void WindowCommands::nextState()
{
    recipes().stepState(1);
}

void WindowCommands::goToFirstDifference()
{
    recipes().goToFirstDifference();
}

bool WindowCommands::hasRecipeGraph() const
{
    return recipe() != nullptr;
}

bool WindowCommands::hasSteps() const
{
    return recipe() != nullptr && !recipe()->items().empty();
}

bool WindowCommands::hasStep() const
{
    return recipe() != nullptr && recipes().currentStep().has_value();
}

bool WindowCommands::canApply() const
{
    return recipe() != nullptr && recipe()->applied() < recipe()->items().size();
}

bool WindowCommands::hasApplied() const
{
    return recipe() != nullptr && recipe()->applied() > 0;
}

bool WindowCommands::canUndoRecipe() const
{
    return recipe() != nullptr && recipe()->canUndo();
}

bool WindowCommands::canRedoRecipe() const
{
    return recipe() != nullptr && recipe()->canRedo();
}

bool WindowCommands::hasFindings() const
{
    return hasStep() && recipes().findings()->findings().rowCount() > 0;
}

bool WindowCommands::hasBranches() const
{
    return recipe() != nullptr && recipe()->history().branchCount() > 1;
}

bool WindowCommands::canGoToPreviousState() const
{
    return recipe() != nullptr && recipes().canStepState(-1);
}

bool WindowCommands::canGoToNextState() const
{
    return recipe() != nullptr && recipes().canStepState(1);
}

bool WindowCommands::hasFirstDifference() const
{
    return recipe() != nullptr && recipes().hasFirstDifference();
}

bool WindowCommands::isRecipeShown() const
{
    return !recipes().dock()->isHidden();
}

bool WindowCommands::isRecipeText() const
{
    return isRecipeShown() && recipes().panel()->page() == RecipePanel::Page::Text;
}

bool WindowCommands::areFindingsMarked() const
{
    return recipes().areMarksShown();
}

bool WindowCommands::isVerifying() const
{
    return recipe() != nullptr && recipe()->isVerifying();
}

} // namespace lapidary
