// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lapidary {
namespace {

// Returns the number of letters to insert, remove or replace to turn one word into the other.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearestWord(std::string_view misspelt, const std::vector<std::string>& words)
{
    constexpr std::size_t longest = 80;
    constexpr std::size_t beginning = 3;
    if (misspelt.size() > longest)
        return "";
    std::string nearest;
    std::size_t least = std::max<std::size_t>(2, misspelt.size() / 3) + 1;
    for (const std::string& word : words) {
        const bool begins = word.starts_with(misspelt) && misspelt.size() >= beginning;
        const std::size_t distance = begins ? 1 : editDistance(misspelt, word);
        if (distance < least) {
            least = distance;
            nearest = word;
        }
    }
    return nearest;
}

} // namespace lapidary
