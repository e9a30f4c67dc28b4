// The commands that compare two graphs.
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
    DocumentView* other =
        compared->active() == compared->guest() ? m_window.tabView() : compared->guest();
    compared->setActive(other);
    other->canvas()->setFocus();
}

bool WindowCommands::isComparing() const
{
    return m_window.tabView() != nullptr && m_window.tabView()->compared() != nullptr;
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
