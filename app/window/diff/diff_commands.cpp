// SPDX-License-Identifier: Apache-2.0
// The commands that compare graphs.
#include "app/window/diff/compared_views.h"
#include "app/window/document_view.h"
#include "app/window/main_window.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/window_commands.h"
#include "app/window/window_docks.h"
#include "views/canvas/graph_canvas.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void WindowCommands::compare()
{
    askToOpen(u"Compare with a model"_s, modelFilter + u";;"_s + anyFilter,
              [this](const QString& path) { m_window.compareWithFile(path); });
}

void WindowCommands::compareTab()
{
    m_window.compareWithNextTab();
}

void WindowCommands::compareOriginal()
{
    recipes().compareWithEntry(0);
}

void WindowCommands::comparePrevious()
{
    recipes().compareWithStateBefore();
}

void WindowCommands::endCompare()
{
    m_window.endCompare();
}

void WindowCommands::stepDifference(int by)
{
    m_window.docks().showDifferences();
    m_window.tabView()->compared()->session().step(by);
}

void WindowCommands::otherSide()
{
    ComparedViews* compared = m_window.tabView()->compared();
    DocumentView* other = compared->next();
    compared->setActive(other);
    other->canvas()->setFocus();
}

void WindowCommands::compareAdd()
{
    askToOpen(u"Add a model to the comparison"_s, modelFilter + u";;"_s + anyFilter,
              [this](const QString& path) { m_window.compareWithFile(path, true); });
}

void WindowCommands::compareAddState()
{
    recipes().chooseStateToAdd();
}

void WindowCommands::closePane()
{
    m_window.closePane(m_window.tabView()->compared()->active());
}

bool WindowCommands::isComparing() const
{
    return m_window.tabView() != nullptr && m_window.tabView()->compared() != nullptr;
}

bool WindowCommands::canAddToComparison() const
{
    return isComparing() && !m_window.tabView()->compared()->isFull();
}

bool WindowCommands::canAddState() const
{
    return recipes().canAddAnyState();
}

bool WindowCommands::canClosePane() const
{
    return isComparing() && m_window.view() != m_window.tabView();
}

bool WindowCommands::canCompareTab() const
{
    return hasScene() && hasTabs();
}

bool WindowCommands::hasStateBefore() const
{
    return recipes().canStepState(-1);
}

bool WindowCommands::hasDifferences() const
{
    return isComparing() && m_window.tabView()->compared()->session().shownCount() > 0;
}

} // namespace lapidary
