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

// Limits for a graph that is run, besides those of its session.
struct GuardFlags {
    double seconds = 0; // for the whole verb; 0: no limit
    bool isBoxed = true;
};

// Adds --time-limit and --no-sandbox.
void addGuardOptions(CLI::App& options, GuardFlags& flags);

// Verbs and tools that run graphs (Verb::runsGraphs) call this after they have read their flags and
// before they work. Unless --no-sandbox is given, it starts a sandboxed process, and both processes
// return from it. It also starts to watch the time and the signals. Returns an exit code if nothing
// is left to do, as in the process outside of the sandbox; prints errors.
std::optional<int> startGuarded(const GuardFlags& flags, const BoxGrants& grants,
                                const Console& console);

// Grants access to the files that `feeds` name, which are written as for --feed.
void grantFeeds(std::span<const std::string> feeds, BoxGrants& grants);
// Grants access to the files that parameters of the passes name: logs, and checkpoints by their
// prefixes.
void grantRecipe(const Recipe& recipe, BoxGrants& grants);

} // namespace lapidary
