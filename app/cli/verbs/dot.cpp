// SPDX-License-Identifier: Apache-2.0
// dot: writes the graph as Graphviz text.
#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/dot/dot_text.h"

namespace lapidary {
namespace {

int runDot(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string out = "-";
    bool flat = false;
    bool inputBinary = true;
    call.addFile();
    call.options().get_option("FILE")->required(false);
    call.addOutput("-o,--output,--dot-output,--dot_output", out,
                   "the file to write; standard output if not given");
    call.options().add_option("--graph", call.file(), "the same as FILE");
    call.options().add_flag("--flat", flat, "no clusters for scopes");
    call.options().add_flag("--input-binary,--input_binary", inputBinary,
                            "accepted for old scripts; the format is detected");
    if (const auto done = call.parse(arguments))
        return *done;
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto text = dotText(*opened.entry->graph, DotOptions{.scopes = !flat}, console.job);
    return text ? writeResult(out, text.value(), console) : failWith(text.error(), console);
}

} // namespace

const Verb verbs::dot{
    .name = "dot",
    .synopsis = "dot FILE",
    .summary = "Writes a graph as Graphviz text, with scopes as clusters.",
    .example = "lapidary dot model.pb -o model.dot",
    .run = runDot,
};

} // namespace lapidary
