// SPDX-License-Identifier: Apache-2.0
// The part of the recipe's controller that compares its states.
#include "app/window/parts/comparison.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/recipe/recipe_rows.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/recipe/timeline_bar.h"

#include <QMainWindow>
#include <QMenu>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

GraphPtr RecipeController::graphOf(const TimelineEntry& entry) const
{
    if (entry.items == 0)
        return session()->base();
    const auto& places = session()->places();
    if (entry.items > places.size())
        return nullptr;
    const TimelineStatePtr& state = places[entry.items - 1].state;
    return state && state->isWhole() ? state->graph() : nullptr;
}

void RecipeController::compareWithEntry(int entry, bool isAdded)
{
    if (session() == nullptr)
        return;
    const std::vector<TimelineEntry> entries = timelineEntries(*session());
    const int shown = shownEntry(*session(), entries);
    if (entry < 0 || std::size_t(entry) >= entries.size() || entry == shown)
        return;
    const TimelineEntry& chosen = entries[std::size_t(entry)];
    GraphPtr graph = graphOf(chosen);
    if (!graph)
        return m_parts.status->notice(
            u"There is no graph of \u201C%1\u201D yet"_s.arg(chosen.title));
    m_parts.comparison->withGraph(std::move(graph), chosen.title, entry < shown, isAdded);
}

void RecipeController::compareWithStateBefore()
{
    if (canStepState(-1))
        compareWithEntry(shownEntry(*session(), timelineEntries(*session())) - 1);
}

bool RecipeController::canAddEntry(int entry) const
{
    const ComparedViews* compared = m_view ? m_view->compared() : nullptr;
    if (session() == nullptr || compared == nullptr || compared->isFull())
        return false;
    const std::vector<TimelineEntry> entries = timelineEntries(*session());
    if (entry < 0 || std::size_t(entry) >= entries.size())
        return false;
    const GraphPtr graph = graphOf(entries[std::size_t(entry)]);
    return graph != nullptr && !compared->shows(graph);
}

bool RecipeController::canAddAnyState() const
{
    const int count = m_timeline->list()->model()->rowCount();
    for (int entry = 0; entry < count; ++entry)
        if (canAddEntry(entry))
            return true;
    return false;
}

void RecipeController::chooseStateToAdd()
{
    if (session() == nullptr)
        return;
    auto* menu = new QMenu(m_parts.window);
    menu->setObjectName(u"statesToAdd"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const std::vector<TimelineEntry> entries = timelineEntries(*session());
    QAction* first = nullptr;
    for (int entry = 0; entry < int(entries.size()); ++entry) {
        QString title = entries[std::size_t(entry)].title;
        QAction* action = menu->addAction(title.replace(u'&', u"&&"_s));
        action->setEnabled(canAddEntry(entry));
        if (action->isEnabled() && first == nullptr)
            first = action;
        connect(action, &QAction::triggered, this,
                [this, entry] { compareWithEntry(entry, true); });
    }
    const GraphCanvas* canvas = m_parts.tabs->canvas();
    menu->setActiveAction(first);
    menu->popup(canvas->mapToGlobal(QPoint(canvas->width() / 3, canvas->height() / 4)));
}

} // namespace lapidary
