// SPDX-License-Identifier: Apache-2.0
// memmap: writes a package whose weights are used directly from the mapped file.
#include "app/base/exit_codes.h"
#include "app/cli/variables.h"
#include "app/cli/verb_call.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/write/memmapped_source.h"

#include <limits>
#include <ostream>

namespace lapidary {
namespace {

void report(std::size_t constants, std::int64_t minimumBytes, Console& console)
{
    if (constants == 0)
        console.complain(
            "no constant has " + std::to_string(minimumBytes) +
            " bytes, so none can be memory-mapped; a lower --min-bytes includes smaller ones");
    else if (constants == 1)
        console.err << "1 constant can be memory-mapped\n";
    else
        console.err << constants << " constants can be memory-mapped\n";
}

int runMemmap(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string out;
    std::int64_t minimumBytes = 10000;
    call.addFile();
    call.addOutput("-o,--output", out, "the file to write")->required();
    call.options()
        .add_option("--min-bytes,--min_conversion_tensor_size", minimumBytes,
                    "keep smaller constants in the graph; default: 10000 bytes")
        ->check(CLI::Range(std::int64_t(1), std::numeric_limits<std::int64_t>::max()));
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (const Status known =
            requireTensorFlow(*opened.entry->graph, "is not written as a TensorFlow graph");
        !known)
        return failWith(known.error().within(shownPath(call.file())), console);
    const auto package = makeMemmapped(opened.entry->graph, minimumBytes, console.job);
    if (!package)
        return failWith(package.error().within(shownPath(call.file())), console);
    if (const int code = writeResult(out, memmappedSource(*package), console);
        code != exit_code::done)
        return code;
    sayVariables(call, *opened.entry->graph, console);
    report(package->regions.size(), minimumBytes, console);
    return exit_code::done;
}

} // namespace

const Verb verbs::memmap{
    .name = "memmap",
    .synopsis = "memmap FILE -o OUT",
    .summary =
        "Writes a package from which TensorFlow memory-maps the weights instead of loading them.",
    .example = "lapidary memmap frozen.pb -o frozen.mmap",
    .run = runMemmap,
    .chapter = "device",
};

} // namespace lapidary
