// SPDX-License-Identifier: Apache-2.0
// diff: lists the differences of two graphs.
#include "app/base/exit_codes.h"
#include "app/cli/reports/diff_report.h"
#include "app/cli/reports/story_report.h"
#include "app/cli/verb_call.h"

namespace lapidary {
namespace {

int runDiff(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.addFile("the graph before");
    call.addJson();
    call.addOther("the graph after");
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedPair graphs = openBoth(call, console);
    if (graphs.failure)
        return *graphs.failure;
    const Graph& before = *graphs.first.entry->graph;
    const Graph& after = *graphs.second.entry->graph;
    const auto list =
        listDifferences(graphs.first.entry->graph, graphs.second.entry->graph, console.job);
    if (!list)
        return failWith(list.error(), console);
    const GraphDiff& diff = (*list)->diff;
    const DiffReport report(before, after, diff);
    if (call.wantsJson()) {
        Json json = report.json();
        json["summary"] = (*list)->story.summary;
        json["changes"] = storyJson(**list);
        printJson(json, console);
    } else {
        printStory(**list, console.out);
        report.print(console.out);
    }
    return diff.isSame() ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::diff{
    .name = "diff",
    .synopsis = "diff FILE OTHER",
    .summary = "Lists every difference between two graphs.",
    .example = "lapidary diff before.pb after.pb",
    .run = runDiff,
    .chapter = "comparing",
};

} // namespace lapidary
