// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/recipe_conditions.h"

#include "app/window/parts/window_parts.h"
#include "app/window/recipe/recipe_controller.h"

namespace lapidary {

RecipeSession* session(const ActionContext& context)
{
    RecipeSession* mine = context.window.recipes->session();
    return mine != nullptr && mine->base() ? mine : nullptr;
}

bool hasRecipe(const ActionContext& context)
{
    return session(context) != nullptr;
}

bool hasSteps(const ActionContext& context)
{
    return hasRecipe(context) && !session(context)->items().empty();
}

bool hasApplied(const ActionContext& context)
{
    return hasRecipe(context) && session(context)->applied() > 0;
}

} // namespace lapidary
