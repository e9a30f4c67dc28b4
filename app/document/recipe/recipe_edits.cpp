// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/recipe_edits.h"

#include <algorithm>

namespace lapidary {

RecipeDraft withItem(RecipeDraft draft, std::size_t at, RecipeItem item)
{
    at = std::min(at, draft.items.size());
    draft.items.insert(draft.items.begin() + std::ptrdiff_t(at), std::move(item));
    draft.applied += at < draft.applied ? 1 : 0;
    return draft;
}

RecipeDraft withAppliedItem(RecipeDraft draft, std::size_t at, RecipeItem item)
{
    at = std::min(at, draft.items.size());
    draft.items.insert(draft.items.begin() + std::ptrdiff_t(at), std::move(item));
    draft.applied = std::max(draft.applied, at) + 1;
    return draft;
}

RecipeDraft withoutItem(RecipeDraft draft, std::size_t at)
{
    if (at >= draft.items.size())
        return draft;
    draft.items.erase(draft.items.begin() + std::ptrdiff_t(at));
    draft.applied -= at < draft.applied ? 1 : 0;
    return draft;
}

RecipeDraft withCopy(RecipeDraft draft, std::size_t at)
{
    if (at >= draft.items.size())
        return draft;
    RecipeItem copy = draft.items[at];
    return withItem(std::move(draft), at + 1, std::move(copy));
}

RecipeDraft withMoved(RecipeDraft draft, std::size_t from, std::size_t to)
{
    if (from >= draft.items.size() || to >= draft.items.size() || from == to)
        return draft;
    const auto begin = draft.items.begin();
    if (from < to)
        std::rotate(begin + std::ptrdiff_t(from), begin + std::ptrdiff_t(from) + 1,
                    begin + std::ptrdiff_t(to) + 1);
    else
        std::rotate(begin + std::ptrdiff_t(to), begin + std::ptrdiff_t(from),
                    begin + std::ptrdiff_t(from) + 1);
    const bool wasApplied = from < draft.applied;
    if (wasApplied && to >= draft.applied)
        --draft.applied;
    else if (!wasApplied && to < draft.applied)
        ++draft.applied;
    return draft;
}

RecipeDraft withSwitched(RecipeDraft draft, std::size_t at, bool isOn)
{
    if (at < draft.items.size())
        draft.items[at].isOn = isOn;
    return draft;
}

RecipeDraft withStep(RecipeDraft draft, std::size_t at, RecipeStep step)
{
    if (at < draft.items.size())
        draft.items[at].step = std::move(step);
    return draft;
}

RecipeDraft withRecipe(const RecipeDraft& draft, const Recipe& recipe)
{
    RecipeDraft changed;
    std::size_t same = 0; // number of equal items at the beginning
    const std::vector<RecipeItem>& old = draft.items;
    std::size_t at = 0; // index in the recipe; its text does not contain steps that are off
    while (same < old.size() &&
           (!old[same].isOn || (at < recipe.size() && old[same].step == recipe[at])))
        at += old[same++].isOn ? 1 : 0;
    changed.items.assign(old.begin(), old.begin() + std::ptrdiff_t(same));
    for (; at < recipe.size(); ++at)
        changed.items.push_back({recipe[at], true});
    const bool wasAll = draft.applied == old.size() && !old.empty();
    changed.applied = wasAll ? changed.items.size() : std::min(draft.applied, changed.items.size());
    return changed;
}

std::size_t appliedAfterNext(const RecipeDraft& draft)
{
    std::size_t next = draft.applied;
    while (next < draft.items.size() && !draft.items[next].isOn)
        ++next;
    return next + 1;
}

} // namespace lapidary
