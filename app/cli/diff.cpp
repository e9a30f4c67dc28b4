// diff: everything that makes one graph the other.
#include "app/cli/diff_report.h"
#include "app/cli/exit_codes.h"
#include "app/cli/verb_call.h"

namespace lapidary {
namespace {

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string other;
    call.addFile("the graph before");
    call.addJson();
    call.options().add_option("OTHER", other, "the graph after")->required();
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedModel before = openModel(call, ReadOptions{.check = false}, console);
    if (before.entry == nullptr)
        return before.exitCode;
    call.file() = other;
    const OpenedModel after = openModel(call, ReadOptions{.check = false}, console);
    if (after.entry == nullptr)
        return after.exitCode;
    const auto diff = diffGraphs(*before.entry->graph, *after.entry->graph, console.job);
    if (!diff)
        return failWith(diff.error(), console);
    const DiffReport report(*before.entry->graph, *after.entry->graph, diff.value());
    if (call.wantsJson())
        printJson(report.json(), console);
    else
        report.print(console.out);
    return diff.value().isSame() ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::diff{
    .name = "diff",
    .summary = "Lists everything that makes one graph the other.",
    .example = "lapidary diff before.pb after.pb",
    .run = run,
};

} // namespace lapidary
