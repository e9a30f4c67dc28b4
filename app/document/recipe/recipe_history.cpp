// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/recipe_history.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t mostUndone = 500;

// Returns the number in a name that was read from a file, where any number is possible.
int numberIn(const char* text)
{
    constexpr long most = 1'000'000;
    return int(std::clamp(std::strtol(text, nullptr, 10), 0L, most));
}

} // namespace

Recipe recipeOf(const RecipeDraft& draft)
{
    Recipe recipe;
    for (const RecipeItem& item : draft.items)
        if (item.isOn)
            recipe.push_back(item.step);
    return recipe;
}

RecipeHistory::RecipeHistory()
    : m_branches{{"main", {}, {}, {}}}
{
}

RecipeHistory::RecipeHistory(std::vector<Branch> branches, std::size_t current)
    : m_branches(std::move(branches))
    , m_current(std::min(current, m_branches.size() - 1))
{
    for (const Branch& branch : m_branches) { // new branches get other names
        const std::string stem = "branch ";
        if (branch.name.starts_with(stem))
            m_named = std::max(m_named, numberIn(branch.name.c_str() + stem.size()));
    }
}

void RecipeHistory::change(RecipeDraft draft, const std::string& merge)
{
    draft.applied = std::min(draft.applied, draft.items.size());
    if (draft == current().draft)
        return;
    const bool isMerged = !merge.empty() && merge == m_merge && canUndo();
    m_merge = merge;
    current().undone.clear();
    RecipeDraft old = std::exchange(current().draft, std::move(draft));
    if (isMerged)
        return;
    current().before.push_back(std::move(old));
    if (current().before.size() > mostUndone)
        current().before.erase(current().before.begin());
}

void RecipeHistory::undo()
{
    if (!canUndo())
        return;
    m_merge.clear();
    current().undone.push_back(std::exchange(current().draft, std::move(current().before.back())));
    current().before.pop_back();
}

void RecipeHistory::redo()
{
    if (!canRedo())
        return;
    m_merge.clear();
    current().before.push_back(std::exchange(current().draft, std::move(current().undone.back())));
    current().undone.pop_back();
}

void RecipeHistory::startBranch(std::size_t items)
{
    RecipeDraft draft = this->draft();
    draft.items.resize(std::min(items, draft.items.size()));
    draft.applied = draft.items.size();
    m_merge.clear();
    m_branches.push_back({"branch " + std::to_string(++m_named), std::move(draft), {}, {}});
    m_current = m_branches.size() - 1;
}

void RecipeHistory::chooseBranch(std::size_t branch)
{
    if (branch >= m_branches.size())
        return;
    m_merge.clear();
    m_current = branch;
}

void RecipeHistory::removeBranch()
{
    if (m_branches.size() == 1)
        return;
    m_merge.clear();
    m_branches.erase(m_branches.begin() + std::ptrdiff_t(m_current));
    m_current = std::min(m_current, m_branches.size() - 1);
}

} // namespace lapidary
