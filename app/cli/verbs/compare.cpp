// SPDX-License-Identifier: Apache-2.0
// compare: tells whether two graphs are equal, in the words of compare_graphs.
#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/printable.h"
#include "transforms/compare/equal_graphs.h"

#include <ostream>

namespace lapidary {
namespace {

int runCompare(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.addFile("the graph to compare");
    call.addJson();
    call.addOther("the expected graph");
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedPair graphs = openBoth(call, console);
    if (graphs.failure)
        return *graphs.failure;
    const std::string difference =
        graphDifference(*graphs.first.entry->graph, *graphs.second.entry->graph);
    if (call.wantsJson())
        printJson({{"same", difference.empty()}, {"difference", difference}}, console);
    else
        console.out << (difference.empty() ? "Graphs are equal." : printable(difference)) << '\n';
    return difference.empty() ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::compare{
    .name = "compare",
    .synopsis = "compare FILE OTHER",
    .summary = "Reports whether two graphs are equal, or the first difference.",
    .example = "lapidary compare a.pb b.pb",
    .run = runCompare,
    .chapter = "comparing",
};

} // namespace lapidary
