// SPDX-License-Identifier: Apache-2.0
// events: writes a graph for TensorBoard.
#include "app/base/exit_codes.h"
#include "app/cli/event_output.h"
#include "app/cli/verb_call.h"
#include "graph_model/graph/dialect.h"
#include "transforms/attributes/imported_graph.h"

#include <ostream>

namespace lapidary {
namespace {

int runEvents(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string folder;
    bool asItIs = false;
    call.addFile();
    call.options()
        .add_option("-o,--output,--log-dir,--log_dir", folder,
                    "the folder to write to; created if it does not exist")
        ->required();
    call.options().add_flag(
        "--as-is", asItIs,
        "write the graph unchanged, without an import/ scope, default attributes and shapes");
    if (const auto done = call.parse(arguments))
        return *done;
    if (folder == "-")
        return call.wrongUse("-o names a folder; an event file has a name of its own there");
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    GraphPtr graph = opened.entry->graph;
    if (!asItIs) {
        if (const Status known = requireTensorFlow(*graph, "is not imported"); !known)
            return failWith(known.error().within(shownPath(call.file())), console);
        const auto imported = importedGraph(graph, "import", console.job);
        if (!imported)
            return failWith(imported.error().within(shownPath(call.file())), console);
        graph = *imported;
    }
    const auto path = writeEvents(*graph, folder);
    if (!path)
        return failWith(path.error(), console);
    console.out << *path << '\n';
    return exit_code::done;
}

} // namespace

const Verb verbs::events{
    .name = "events",
    .synopsis = "events FILE -o DIR",
    .summary = "Writes a graph into an event file for TensorBoard.",
    .example = "lapidary events model.pb -o logs",
    .run = runEvents,
};

} // namespace lapidary
