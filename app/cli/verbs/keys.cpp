// SPDX-License-Identifier: Apache-2.0
// The keys are those of the window's actions; app/actions/action_sections.h has the page.
#include "app/base/exit_codes.h"
#include "app/cli/verb_list.h"

namespace lapidary {
namespace {

int runKeysWithoutWindow(const Verb&, std::span<const std::string>, Console& console)
{
    console.complain("keys: this build has no window, so there are no keys; use a build with Qt");
    return exit_code::wrongUse;
}

} // namespace

const Verb verbs::keys{
    .name = "keys",
    .synopsis = "keys",
    .summary = "Lists the commands of the window with their keys, in Markdown.",
    .example = "lapidary keys",
    .run = runKeysWithoutWindow,
    .chapter = "keys",
    .needsWindow = true,
};

} // namespace lapidary
