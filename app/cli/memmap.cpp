// SPDX-License-Identifier: Apache-2.0
// memmap: writes a package whose weights are used where they lie in the file.
#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/verb_call.h"
#include "graph_model/write/memmapped_source.h"
#include "graph_model/write/write_model.h"

#include <limits>
#include <ostream>

namespace lapidary {
namespace {

int runMemmap(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string out;
    std::int64_t minimumBytes = 10000;
    call.addFile();
    call.options().add_option("-o,--output", out, "the file to write")->required();
    call.options()
        .add_option("--min-bytes,--min_conversion_tensor_size", minimumBytes,
                    "constants of fewer bytes stay in the graph; default: 10000")
        ->check(CLI::Range(std::int64_t(1), std::numeric_limits<std::int64_t>::max()));
    if (const auto done = call.parse(arguments))
        return *done;
    if (const std::string why = overwritten(call.file(), out); !why.empty())
        return call.wrongUse(why);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto package = makeMemmapped(opened.entry->graph, minimumBytes, console.job);
    if (!package)
        return failWith(package.error().within(shownPath(call.file())), console);
    if (const Status written = writeFileAtomically(out, memmappedSource(*package)); !written)
        return failWith(written.error(), console);
    console.err << package->regions.size()
                << (package->regions.size() == 1 ? " constant" : " constants")
                << " can be used as they lie in the file\n";
    return exit_code::done;
}

} // namespace

const Verb verbs::memmap{
    .name = "memmap",
    .summary = "Writes a package whose weights are used where they lie in the file.",
    .example = "lapidary memmap frozen.pb -o frozen.mmap",
    .run = runMemmap,
};

} // namespace lapidary
