// SPDX-License-Identifier: Apache-2.0
// summarize: prints the contents of a graph, as summarize_graph reports them.
#include "app/base/exit_codes.h"
#include "app/cli/damage.h"
#include "app/cli/each_file.h"
#include "app/cli/freezing.h"
#include "app/cli/remedy.h"
#include "app/cli/size_flags.h"
#include "graph_model/graph/function.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/summary/readable_summary.h"
#include "graph_model/summary/summary.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/run_obstacle.h"
#include "transforms/recipe/repro_script.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

Json inputsJson(const Graph& graph, const Summary& summary)
{
    Json inputs = Json::array();
    for (const SummaryItem& item : summary.inputs) {
        const auto shape = graph.node(item.node).attr("shape").asShape();
        inputs.push_back({{"name", item.name},
                          {"dtype", dtypeName(item.dtype)},
                          {"shape", shape ? shapeJson(*shape) : Json(nullptr)}});
    }
    return inputs;
}

Json functionsJson(const Graph& graph)
{
    Json functions = Json::object();
    if (graph.functions() == nullptr)
        return functions;
    for (const FunctionPtr& function : graph.functions()->functions) {
        std::int64_t nodes = 0;
        std::map<std::string, std::int64_t> ops;
        for (const NodePtr& node : function->body->nodes()) {
            if (node->isSynthetic())
                continue;
            ++nodes;
            ++ops[std::string(node->op())];
        }
        functions[std::string(function->name)] = {{"inputs", function->arguments.size()},
                                                  {"outputs", function->results.size()},
                                                  {"nodes", nodes},
                                                  {"ops", ops}};
    }
    return functions;
}

Json summaryJson(const Graph& graph)
{
    const Summary summary = summarize(graph);
    Json outputs = Json::array();
    for (const NodeId id : summary.outputs)
        outputs.push_back({{"name", graph.node(id).name()}, {"op", graph.node(id).op()}});
    return {{"inputs", inputsJson(graph, summary)},
            {"outputs", outputs},
            {"variables", summary.stored.size()},
            {"const_parameters", summary.constParameters},
            {"variable_parameters", summary.variableParameters},
            {"control_edges", summary.controlEdges},
            {"nodes", graph.size()},
            {"devices", summary.devices},
            {"ops", summary.ops},
            {"functions", functionsJson(graph)}};
}

// Feeds that only the user can choose: files for inputs that are decoded, and numbers for those
// that control loops. The command has a placeholder for each.
struct OwnFeeds {
    std::string flags;
    std::string words; // "FILE and NUMBER"
};

OwnFeeds ownFeeds(const Graph& graph, const std::vector<FeedTarget>& inputs)
{
    OwnFeeds own;
    const auto add = [&own](const FeedTarget& input, const char* source, const char* word) {
        own.flags += " --feed " + shellQuoted(tensorAsFlag(input.tensor) + "=" + source);
        if (own.words.find(word) == std::string::npos)
            own.words += (own.words.empty() ? "" : " and ") + std::string(word);
    };
    for (const FeedTarget& input : inputs) {
        const InputUse use = inputUse(graph, input);
        if (use == InputUse::Decoded)
            add(input, "FILE", "FILE");
        else if (use == InputUse::SteersLoop)
            add(input, "value:NUMBER", "NUMBER");
    }
    return own;
}

// Returns a command that times the graph as it is, with numbers for unknown sizes, or the reason
// why there is none.
std::string benchmarkHint(const GraphEntry& entry, const std::string& path, Console& console)
{
    if (path == "-")
        return "";
    const auto interface = modelInterface(entry, "");
    const RunObstacle obstacle = runObstacle(entry, interface, path, console.job);
    if (!obstacle.what.empty())
        return "It cannot be run as it is: " + obstacle.what +
               (obstacle.lacksValues ? freezeHint(path, likelyOutputs(entry, interface))
                : obstacle.isFault   ? checkHint(path)
                                     : "") +
               "\n";
    if (!interface)
        return "";
    const auto flags = sizeFlags(*entry.graph, interface->inputs, console.job);
    if (!flags)
        return flags.error().reason == ErrorReason::MissingSize
                   ? "It cannot be run as it is: " + messageWithRemedy(flags.error()) + "\n"
                   : "";
    const OwnFeeds own = ownFeeds(*entry.graph, interface->inputs);
    return "To time it" + (own.words.empty() ? "" : ", with yours in place of " + own.words) +
           ": lapidary benchmark " + shellQuoted(path) + *flags + own.flags + "\n";
}

struct SummarizeOptions {
    std::vector<std::string> files;
    bool structure = false;
};

int summarizeFile(const VerbCall& call, const SummarizeOptions& wanted, Json& document,
                  Console& console)
{
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const Graph& graph = *opened.entry->graph;
    if (call.wantsJson()) {
        document = summaryJson(graph);
        return exit_code::done;
    }
    if (wanted.files.size() > 1)
        console.out << shownPath(call.file()) << ":\n";
    const SummaryText summary = readableSummaryText(graph, wanted.structure);
    console.out << summary.text;
    if (summary.error.empty()) {
        console.out << benchmarkHint(*opened.entry, call.file(), console);
        return exit_code::done;
    }
    console.complain(shownPath(call.file()) + ": " + summary.error + checkHint(call.file()));
    return exit_code::found;
}

int runSummarize(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.takeNetwork();
    SummarizeOptions wanted;
    std::string inGraph;
    addFiles(call, wanted.files);
    call.addJson();
    call.options().get_option("FILE")->required(false);
    call.options().add_option("--in-graph,--in_graph", inGraph, "the same as FILE");
    call.options().add_flag("--print-structure,--print_structure", wanted.structure,
                            "print every node with its inputs, in execution order");
    if (const auto done = call.parse(arguments))
        return *done;
    if (!inGraph.empty())
        wanted.files.insert(wanted.files.begin(), inGraph);
    if (wanted.files.empty())
        return call.wrongUse("FILE is missing");
    return eachFile(call, wanted.files, console,
                    [&](Json& document) { return summarizeFile(call, wanted, document, console); });
}

} // namespace

const Verb verbs::summarize{
    .name = "summarize",
    .synopsis = "summarize FILE",
    .summary = "Summarizes a graph: its inputs, outputs, parameters and ops.",
    .example = "lapidary summarize model.pb",
    .run = runSummarize,
};

} // namespace lapidary
