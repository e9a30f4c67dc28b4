// SPDX-License-Identifier: Apache-2.0
// summarize: prints the contents of a graph, as summarize_graph reports them.
#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/graph/function.h"
#include "graph_model/summary/summary.h"

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
            {"variables", summary.variables.size()},
            {"const_parameters", summary.constParameters},
            {"variable_parameters", summary.variableParameters},
            {"control_edges", summary.controlEdges},
            {"nodes", graph.size()},
            {"devices", summary.devices},
            {"ops", summary.ops},
            {"functions", functionsJson(graph)}};
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string inGraph;
    bool structure = false;
    call.addFile();
    call.addJson();
    call.options().get_option("FILE")->required(false);
    call.options().add_option("--in-graph,--in_graph", inGraph, "the same as FILE");
    call.options().add_flag("--print-structure,--print_structure", structure,
                            "every node with its inputs, in execution order");
    if (const auto done = call.parse(arguments))
        return *done;
    if (call.file().empty())
        call.file() = inGraph;
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const Graph& graph = *opened.entry->graph;
    if (call.wantsJson()) {
        printJson(summaryJson(graph), console);
        return exit_code::done;
    }
    const SummaryText summary = summarizeGraphText(graph, call.file(), structure);
    console.out << summary.text;
    if (summary.error.empty())
        return exit_code::done;
    console.complain(shownPath(call.file()) + ": " + summary.error +
                     "; 'lapidary check' says where");
    return exit_code::found;
}

} // namespace

const Verb verbs::summarize{
    .name = "summarize",
    .summary = "Says what is in a graph: inputs, outputs, parameters, ops.",
    .example = "lapidary summarize model.pb",
    .run = run,
};

} // namespace lapidary
