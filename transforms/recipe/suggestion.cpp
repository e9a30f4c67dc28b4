#include "transforms/recipe/suggestion.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

// Levenshtein's distance; O(a * b).
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
        }
    }
    return row.back();
}

} // namespace

std::string suggestion(std::string_view misspelt, const std::vector<std::string>& names)
{
    constexpr std::size_t longest = 200;
    if (misspelt.size() > longest)
        return "";
    const std::string* best = nullptr;
    std::size_t nearest = std::max<std::size_t>(2, misspelt.size() / 3) + 1;
    for (const std::string& name : names) {
        const std::size_t distance = editDistance(misspelt, name);
        if (distance < nearest) {
            nearest = distance;
            best = &name;
        }
    }
    return best == nullptr ? "" : ", did you mean " + *best + "?";
}

std::vector<std::string> passNames()
{
    std::vector<std::string> names;
    for (const Pass* pass : allPasses())
        names.emplace_back(pass->name);
    return names;
}

} // namespace lapidary
