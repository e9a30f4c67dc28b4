// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pass_verb.h"

#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/variables.h"
#include "app/cli/verb_call.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

struct PassVerbOptions {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> types;
    std::string out;
    bool tocoCompatible = false;
};

void declare(VerbCall& call, PassVerbOptions& wanted, const Pass& pass)
{
    call.addFile();
    CLI::App& options = call.options();
    options
        .add_option("--inputs,--input_names,--input-names,--input_node_names,--input-node-names",
                    wanted.inputs, "nodes that become placeholders")
        ->delimiter(',')
        ->required();
    options
        .add_option(
            "--outputs,--output_names,--output-names,--output_node_names,--output-node-names",
            wanted.outputs, "nodes to keep, with everything they need")
        ->delimiter(',')
        ->required();
    call.addOutput("-o,--output,--output_graph,--output-graph", wanted.out,
                   "the file to write (.pb: binary, .pbtxt: text); - for standard output")
        ->required();
    options
        .add_option("--type", wanted.types,
                    "the dtype of the inputs, one for all or one for each; default: their own")
        ->delimiter(',');
    const bool canFuse = std::ranges::any_of(pass.parameters, [](const ParameterSpec& parameter) {
        return parameter.name == "toco_compatible";
    });
    if (canFuse)
        options.add_flag("--toco-compatible,--toco_compatible", wanted.tocoCompatible,
                         "do not fuse convolutions; converters and phones lack the fused ops");
}

Recipe recipeOf(const PassVerbOptions& wanted, std::string_view pass)
{
    Parameters parameters;
    for (const std::string& type : wanted.types)
        parameters.add("type", type);
    if (wanted.tocoCompatible)
        parameters.add("toco_compatible", "true");
    return {{std::string(pass), parameters}};
}

// Reports inputs that no node reads, which are seldom intended.
void sayUnneeded(const PassVerbOptions& wanted, const Graph& result, Console& console)
{
    const auto isOutput = [&](std::string_view name) {
        return std::ranges::any_of(wanted.outputs, [&](const std::string& output) {
            return parseInput(output).node == name;
        });
    };
    for (const std::string& input : wanted.inputs) {
        const std::string_view name = parseInput(input).node;
        const NodeId id = result.find(name);
        if ((!id.isValid() || result.consumers(id).empty()) && !isOutput(name))
            console.complain("the outputs do not need the input " + std::string(name));
    }
}

} // namespace

int runPassVerb(const Verb& verb, std::string_view pass, std::span<const std::string> arguments,
                Console& console)
{
    VerbCall call(verb, console);
    PassVerbOptions wanted;
    declare(call, wanted, *findPass(pass));
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const GraphPtr& graph = opened.entry->graph;
    const RecipeRun done =
        runRecipe(graph, recipeOf(wanted, pass), wanted.inputs, wanted.outputs, console.job);
    if (!done.ok())
        return failWith({done.faultCode, shownPath(call.file()) + ": " + done.fault}, console);
    const GraphPtr& result = done.result(graph);
    const int code = writeGraph(*result, wanted.out, writesText(wanted.out, false), console);
    if (code != exit_code::done)
        return code;
    sayUnneeded(wanted, *result, console);
    sayVariables(call, *result, console);
    console.err << graph->size() << " nodes became " << result->size() << '\n';
    return code;
}

} // namespace lapidary
