// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/suggestion.h"

#include "graph_model/base/nearest_word.h"

namespace lapidary {

std::string suggestion(std::string_view misspelt, const std::vector<std::string>& names)
{
    const std::string nearest = nearestWord(misspelt, names);
    return nearest.empty() ? "" : ", did you mean " + nearest + "?";
}

std::vector<std::string> passNames()
{
    std::vector<std::string> names;
    for (const Pass* pass : allPasses())
        names.emplace_back(pass->name);
    return names;
}

} // namespace lapidary
