// SPDX-License-Identifier: Apache-2.0
#include "app/cli/damage.h"

#include "transforms/recipe/repro_script.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// Tells whether the error concerns only files that accompany the graph, or references into it: the
// message itself is complete, and is written as it was read.
bool leavesMessageWhole(const Problem& problem)
{
    constexpr std::array<std::string_view, 11> kinds{
        "missing_variables", "missing_index", "missing_shard", "bad_magic",
        "missing_asset",     "asset_outside", "bad_signature", "bad_collection",
        "bad_main_op",       "bad_saver",     "missing_slice"};
    return std::ranges::find(kinds, problem.kind) != kinds.end();
}

const Problem* damageIn(const Problems& problems)
{
    const auto found = std::ranges::find_if(problems, [](const Problem& problem) {
        return problem.severity == Severity::Error && !leavesMessageWhole(problem);
    });
    return found == problems.end() ? nullptr : &*found;
}

} // namespace

const Problem* firstDamage(const ModelFile& file)
{
    const Problem* first = damageIn(file.problems);
    for (std::size_t i = 0; first == nullptr && i < file.graphs.size(); ++i)
        first = damageIn(file.graphs[i].problems);
    return first;
}

std::string damageText(const Problem& damage, const std::string& path)
{
    return (path == "-" ? "standard input" : path) + ": is damaged (" + damage.message +
           "), so only the rest of it was read" + checkHint(path);
}

std::string checkHint(const std::string& path)
{
    return path == "-" ? "" : "; to list what is wrong: lapidary check " + shellQuoted(path);
}

} // namespace lapidary
