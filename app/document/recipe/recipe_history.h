// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lapidary {

// One line of the recipe panel.
struct RecipeItem {
    RecipeStep step;
    bool isOn = true;

    bool operator==(const RecipeItem&) const = default;
};

// A recipe, and how much of it is applied: the first `applied` items.
struct RecipeDraft {
    std::vector<RecipeItem> items;
    std::size_t applied = 0;

    bool operator==(const RecipeDraft&) const = default;
};

// Returns the steps that are on.
Recipe recipeOf(const RecipeDraft& draft);

// A draft with everything that undo can restore, in one or more independent branches. Consecutive
// changes with the same `merge` text, such as typing in one field, are undone together; changes
// with an empty text are never merged.
class RecipeHistory {
public:
    struct Branch {
        std::string name;
        RecipeDraft draft;
        std::vector<RecipeDraft> undone; // the next to redo is the last one
        std::vector<RecipeDraft> before; // the next to undo is the last one
    };

    RecipeHistory();
    // Restores a history; `branches` is not empty.
    RecipeHistory(std::vector<Branch> branches, std::size_t current);

    const RecipeDraft& draft() const { return current().draft; }
    void change(RecipeDraft draft, const std::string& merge = "");
    bool canUndo() const { return !current().before.empty(); }
    bool canRedo() const { return !current().undone.empty(); }
    void undo();
    void redo();

    const std::vector<Branch>& branches() const { return m_branches; }
    std::size_t branchCount() const { return m_branches.size(); }
    std::size_t branch() const { return m_current; }
    const std::string& branchName(std::size_t branch) const { return m_branches[branch].name; }
    // Starts a new branch with the first `items` items, all applied.
    void startBranch(std::size_t items);
    void chooseBranch(std::size_t branch);
    void removeBranch(); // the current one, unless it is the only one

private:
    const Branch& current() const { return m_branches[m_current]; }
    Branch& current() { return m_branches[m_current]; }

    std::vector<Branch> m_branches;
    std::size_t m_current = 0;
    std::string m_merge;
    int m_named = 1;
};

} // namespace lapidary
