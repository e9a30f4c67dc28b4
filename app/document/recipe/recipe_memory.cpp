// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/recipe_memory.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

constexpr std::size_t mostKept = 100; // changes that a branch can undo, and redo

json draftJson(const RecipeDraft& draft)
{
    json steps = json::array();
    for (const RecipeItem& item : draft.items)
        steps.push_back({{"step", printRecipe({item.step})}, {"on", item.isOn}});
    return {{"steps", std::move(steps)}, {"applied", draft.applied}};
}

json draftsJson(const std::vector<RecipeDraft>& drafts)
{
    json list = json::array();
    const std::size_t first = drafts.size() - std::min(drafts.size(), mostKept);
    for (std::size_t i = first; i < drafts.size(); ++i)
        list.push_back(draftJson(drafts[i]));
    return list;
}

json member(const json& object, const char* name)
{
    return object.is_object() ? object.value(name, json()) : json();
}

std::size_t number(const json& object, const char* name)
{
    const json value = member(object, name);
    return value.is_number_unsigned() ? value.get<std::size_t>() : 0;
}

RecipeDraft draftFrom(const json& object)
{
    RecipeDraft draft;
    const json steps = member(object, "steps");
    if (!steps.is_array())
        return draft;
    for (const json& step : steps) {
        const json text = member(step, "step");
        if (!text.is_string())
            continue;
        const auto recipe = parseRecipe(text.get<std::string>(), RecipeSyntax::Strict);
        const json isOn = member(step, "on");
        if (recipe && recipe.value().size() == 1)
            draft.items.push_back({recipe.value().front(), !isOn.is_boolean() || isOn.get<bool>()});
    }
    draft.applied = std::min(number(object, "applied"), draft.items.size());
    return draft;
}

std::vector<RecipeDraft> draftsFrom(const json& list)
{
    std::vector<RecipeDraft> drafts;
    if (list.is_array())
        for (const json& draft : list)
            drafts.push_back(draftFrom(draft));
    return drafts;
}

} // namespace

json historyJson(const RecipeHistory& history)
{
    json branches = json::array();
    for (const RecipeHistory::Branch& branch : history.branches()) {
        json entry = draftJson(branch.draft);
        entry["name"] = branch.name;
        entry["before"] = draftsJson(branch.before);
        entry["undone"] = draftsJson(branch.undone);
        branches.push_back(std::move(entry));
    }
    return {{"branches", std::move(branches)}, {"branch", history.branch()}};
}

RecipeHistory historyFrom(const json& kept)
{
    const auto list = member(kept, "branches");
    std::vector<RecipeHistory::Branch> branches;
    if (list.is_array())
        for (const auto& entry : list) {
            const auto name = member(entry, "name");
            branches.push_back({name.is_string() ? name.get<std::string>() : "branch",
                                draftFrom(entry), draftsFrom(member(entry, "undone")),
                                draftsFrom(member(entry, "before"))});
        }
    if (branches.empty()) // an earlier version wrote files without branches
        branches.push_back({"main", draftFrom(kept), {}, {}});
    return RecipeHistory(std::move(branches), number(kept, "branch"));
}

} // namespace lapidary
