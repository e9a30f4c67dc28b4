// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/step_problems.h"

#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/document/picture/visible_items.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/comparison.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"

#include <algorithm>

namespace lapidary {

bool hasProblems(const ActionContext& context)
{
    return hasGraph(context) && !context.document->check().problems()->empty();
}

void stepProblem(const ActionContext& context, int by)
{
    std::vector<ItemId> items;
    const ProblemsPtr problems = context.document->check().problems();
    for (const Problem& problem : *problems) {
        const NodeId node = problemNode(*context.document->graph(), problem);
        if (node.isValid() && std::ranges::find(items, ItemId::of(node)) == items.end())
            items.push_back(ItemId::of(node));
    }
    if (items.empty())
        return context.window.docks->showProblems();
    const auto count = std::ptrdiff_t(items.size());
    const auto at = std::ranges::find(items, context.document->selection().item());
    const auto next =
        at == items.end() ? (by > 0 ? 0 : count - 1) : (at - items.begin() + by + count) % count;
    context.window.tabs->view()->goTo(items[std::size_t(next)]);
}

bool hasDifferences(const ActionContext& context)
{
    const ComparedViews* compared = context.window.comparison->views();
    return compared != nullptr && compared->session().shownCount() > 0;
}

void stepDifference(const ActionContext& context, int by)
{
    context.window.docks->chooseDifferences();
    context.window.comparison->views()->session().step(by);
}

} // namespace lapidary
