// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "runner/box/grants.h"
#include "transforms/recipe/recipe.h"

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace lapidary {

// Limits for a graph that is run, in addition to those of its session.
struct GuardFlags {
    double seconds = 0; // for the whole verb; 0: any
    bool isBoxed = true;
};

// --time-limit and --no-sandbox.
void addGuardOptions(CLI::App& options, GuardFlags& flags);

// Verbs and tools that run graphs (Verb::runsGraphs) call this after they have read their flags and
// before they work. It splits the process unless --no-sandbox is given, and starts to watch the
// time and the signals. It returns an exit code where nothing is left to do, as in the process
// outside of the sandbox, and prints its errors.
std::optional<int> startGuarded(const GuardFlags& flags, const BoxGrants& grants,
                                const Console& console);

// Grants the files that `feeds` name, which are written as for --feed.
void grantFeeds(std::span<const std::string> feeds, BoxGrants& grants);
// The files that parameters of its passes name: logs, and checkpoints by what their files begin
// with.
void grantRecipe(const Recipe& recipe, BoxGrants& grants);

} // namespace lapidary
