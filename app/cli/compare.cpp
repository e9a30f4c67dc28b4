// compare: whether two graphs are equal, in the words of compare_graphs.
#include "app/cli/exit_codes.h"
#include "app/cli/verb_call.h"
#include "transforms/compare/equal_graphs.h"

#include <ostream>

namespace lapidary {
namespace {

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string other;
    call.addFile("the graph to look at");
    call.addJson();
    call.options().add_option("OTHER", other, "the graph that is expected")->required();
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedModel actual = openModel(call, ReadOptions{.check = false}, console);
    if (actual.entry == nullptr)
        return actual.exitCode;
    call.file() = other;
    const OpenedModel expected = openModel(call, ReadOptions{.check = false}, console);
    if (expected.entry == nullptr)
        return expected.exitCode;
    const std::string difference = graphDifference(*actual.entry->graph, *expected.entry->graph);
    if (call.wantsJson())
        printJson({{"same", difference.empty()}, {"difference", difference}}, console);
    else
        console.out << (difference.empty() ? "Graphs are equal." : difference) << '\n';
    return difference.empty() ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::compare{
    .name = "compare",
    .summary = "Says whether two graphs are equal, or what differs first.",
    .example = "lapidary compare a.pb b.pb",
    .run = run,
};

} // namespace lapidary
