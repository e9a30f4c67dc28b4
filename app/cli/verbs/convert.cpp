// SPDX-License-Identifier: Apache-2.0
// convert: the same message as binary or text; or the graph alone.
#include "app/base/exit_codes.h"
#include "app/cli/damage.h"
#include "app/cli/graph_output.h"
#include "app/cli/verb_call.h"
#include "graph_model/write/write_model.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
    std::string out;
    std::string as;     // "" or "graphdef"
    std::string format; // "" (by the extension of `out`), "pb" or "pbtxt"
};

// Returns "pb" or "pbtxt"; empty if the name does not tell.
std::string formatOf(const ConvertOptions& wanted)
{
    if (!wanted.format.empty())
        return wanted.format;
    std::string extension = fs::path(wanted.out).extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (extension == ".pbtxt" || extension == ".txt" || extension == ".textproto" ||
        extension == ".prototxt")
        return "pbtxt";
    return extension == ".pb" || extension == ".meta" ? "pb" : "";
}

Result<std::string> converted(const OpenedModel& opened, const ConvertOptions& wanted, bool text,
                              std::vector<std::string>& dropped)
{
    if (wanted.as == "graphdef") {
        const Graph& graph = *opened.entry->graph;
        return text ? graphDefText(graph, &dropped) : Result<std::string>(encodeGraphDef(graph));
    }
    return text ? modelText(*opened.file, &dropped) : encodeModel(*opened.file);
}

int convertFile(const VerbCall& call, const ConvertOptions& wanted, bool text, Console& console)
{
    // The choice among several graphs only matters if one of them is extracted.
    const bool extracts = wanted.as == "graphdef";
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console, extracts);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (const Problem* damage = firstDamage(*opened.file)) {
        console.complain(shownPath(call.file()) + ": is damaged (" + damage->message +
                         ") and was not converted" + checkHint(call.file()));
        return exit_code::failed;
    }
    std::vector<std::string> dropped;
    const auto bytes = converted(opened, wanted, text, dropped);
    if (!bytes)
        return failWith(bytes.error(), console);
    for (const std::string& field : dropped)
        console.complain(shownPath(call.file()) + ": warning: text cannot hold " + field +
                         ", it was left out");
    return writeResult(wanted.out, *bytes, console);
}

int runConvert(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.refuseDamage();
    ConvertOptions wanted;
    call.addFile("the file to read; - reads standard input");
    call.options()
        .add_option("OUT,-o,--output", wanted.out,
                    "the file to write (.pb: binary, .pbtxt: text); - for standard output")
        ->required();
    call.options()
        .add_option("--as", wanted.as, "graphdef: write the graph alone")
        ->check(CLI::IsMember({"graphdef"}));
    call.options()
        .add_option("--format", wanted.format, "pb or pbtxt, whatever OUT is called")
        ->check(CLI::IsMember({"pb", "pbtxt"}));
    if (const auto done = call.parse(arguments))
        return *done;
    const std::string format = formatOf(wanted);
    if (format.empty())
        return call.wrongUse("OUT '" + wanted.out +
                             "' ends neither in .pb nor in .pbtxt; pass --format pb or pbtxt");
    if (call.graphNumber() && wanted.as.empty())
        return call.wrongUse("--meta-graph takes one graph out and needs --as graphdef");
    if (const std::string why = overwritten(call.file(), wanted.out); !why.empty())
        return call.wrongUse(why);
    return convertFile(call, wanted, format == "pbtxt", console);
}

} // namespace

const Verb verbs::convert{
    .name = "convert",
    .synopsis = "convert IN OUT",
    .summary = "Converts a graph between binary and text, or extracts it from a SavedModel or "
               "MetaGraphDef.",
    .example = "lapidary convert saved_model/ graph.pbtxt --as graphdef",
    .run = runConvert,
};

} // namespace lapidary
