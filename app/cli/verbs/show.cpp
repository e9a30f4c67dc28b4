// SPDX-License-Identifier: Apache-2.0
// show: prints everything known of one node, or the variables of a checkpoint.
#include "app/base/exit_codes.h"
#include "app/cli/reports/node_json.h"
#include "app/cli/reports/saved_variables.h"
#include "graph_model/base/nearest_word.h"
#include "graph_model/graph/function.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

struct FoundNode {
    GraphPtr graph;
    NodeId id;
};

// Finds a node by name, also as a tensor ("conv1:0") or control input ("^conv1"); "function/node"
// leads into the body of a library function.
FoundNode findNode(const GraphPtr& graph, std::string_view asked)
{
    if (const NodeId id = graph->find(asked); id.isValid())
        return {graph, id};
    if (const NodeId id = graph->find(parseInput(asked).node); id.isValid())
        return {graph, id};
    if (graph->functions() == nullptr)
        return {};
    for (const FunctionPtr& function : graph->functions()->functions) {
        const std::string_view name = function->name;
        if (!asked.starts_with(name) || asked.substr(name.size(), 1) != "/")
            continue;
        const NodeId id = function->body->find(asked.substr(name.size() + 1));
        if (id.isValid())
            return {function->body, id};
    }
    return {};
}

// Returns some names that contain the one that was given, as suggestions.
std::string similarNames(const Graph& graph, std::string_view asked)
{
    constexpr std::size_t most = 3;
    std::string names;
    std::size_t count = 0;
    for (const NodePtr& node : graph.nodes()) {
        if (asked.empty() || node->name().find(asked) == std::string_view::npos)
            continue;
        names.append(count == 0 ? "" : ", ").append(node->name());
        if (++count == most)
            break;
    }
    if (!names.empty())
        return names;
    constexpr std::size_t mostCompared = 20'000;
    std::vector<std::string> all;
    for (const NodePtr& node : graph.nodes().first(std::min(graph.size(), mostCompared)))
        all.emplace_back(node->name());
    return nearestWord(std::string(asked), all);
}

int complainOfMissing(const Graph& graph, const std::string& path, const std::string& asked,
                      Console& console)
{
    const std::string similar = similarNames(graph, asked);
    console.complain(shownPath(path) + ": " + asked + ": no node has that name; " +
                     (similar.empty() ? "'lapidary summarize FILE --print-structure' lists them"
                                      : "there is " + similar));
    return exit_code::failed;
}

int runShow(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string asked;
    call.addFile();
    call.options().add_option("NODE", asked,
                              "name of the node, or FUNCTION/NODE; for a checkpoint, name of a "
                              "variable, or none to list all");
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    if (const auto checkpoint = checkpointNamed(call.file()))
        return showCheckpoint(call, *checkpoint, asked, console);
    if (asked.empty())
        return call.wrongUse("NODE is required");
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const FoundNode found = findNode(opened.entry->graph, asked);
    if (found.graph == nullptr)
        return complainOfMissing(*opened.entry->graph, call.file(), asked, console);
    auto facts = nodeJson(*found.graph, found.id, console.job);
    if (!facts)
        return failWith(facts.error(), console);
    if (found.graph == opened.entry->graph && (*facts)["tensor"].is_null()) {
        auto saved = savedVariableJson(*opened.entry, found.id, opened.file->path, console.job);
        if (!saved)
            return failWith(saved.error(), console);
        (*facts)["tensor"] = *std::move(saved);
    }
    if (call.wantsJson())
        printJson(*facts, console);
    else
        console.out << nodeFactsText(*facts);
    return exit_code::done;
}

} // namespace

const Verb verbs::show{
    .name = "show",
    .synopsis = "show FILE [NODE]",
    .summary = "Shows the details of one node, or the variables of a checkpoint.",
    .example = "lapidary show model.pb resnet/conv1/Conv2D",
    .run = runShow,
};

} // namespace lapidary
