// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/run_obstacle.h"

#include "graph_model/check/check_graph.h"
#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/execute/session.h"
#include "runner/setup/prepare_run.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <tuple>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// Returns the nodes that the fetches need, without those that only compute fed tensors.
std::vector<NodeId> neededNodes(const Graph& graph, const ModelInterface& interface)
{
    std::set<NodeId> seen;
    for (const FeedTarget& input : interface.inputs)
        seen.insert(graph.find(parseInput(input.tensor).node));
    std::vector<NodeId> open;
    for (const std::string& output : interface.outputs)
        open.push_back(graph.find(parseInput(output).node));
    std::vector<NodeId> needed;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!id.isValid() || !seen.insert(id).second)
            continue;
        needed.push_back(id);
        for (const Endpoint& from : graph.inputs(id))
            open.push_back(from.node);
    }
    return needed;
}

bool isChannelsFirst(const Node& node)
{
    return needsChannelsLast(node.op()) && node.attr("data_format").asString() == "NCHW";
}

// Returns the variables that the init operation after loading sets, which need no checkpoint.
std::set<NodeId> variablesSet(const Graph& graph, const std::string& initOp)
{
    std::set<NodeId> set;
    std::set<NodeId> seen;
    std::vector<NodeId> open{graph.find(parseInput(initOp).node)};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!id.isValid() || !seen.insert(id).second)
            continue;
        const auto inputs = graph.inputs(id);
        if (assignsVariable(graph.node(id).op()) && !inputs.empty())
            set.insert(inputs[0].node);
        for (const Endpoint& from : inputs)
            open.push_back(from.node);
    }
    return set;
}

// Returns the first fault of a needed node, or in a function that one calls; empty if there is
// none.
std::string faultOf(const Graph& graph, const std::vector<NodeId>& needed, const Job& job)
{
    const Problems problems = checkGraph(graph, job);
    const std::set<NodeId> nodes(needed.begin(), needed.end());
    std::set<std::string_view> functions;
    if (graph.functions() != nullptr)
        for (const FunctionPtr& function : functionsBehind(graph, needed, *graph.functions()))
            functions.insert(function->name);
    const auto isNeeded = [&](const std::string& name) {
        if (const NodeId id = graph.find(name); id.isValid())
            return nodes.contains(id);
        const std::size_t slash = name.find('/');
        return slash != std::string::npos &&
               functions.contains(std::string_view(name).substr(0, slash));
    };
    const auto found = std::ranges::find_if(problems, [&](const Problem& problem) {
        return problem.severity == Severity::Error && isNeeded(problem.node);
    });
    return found == problems.end() ? "" : found->node + ": " + found->message;
}

bool isParser(std::string_view op)
{
    return op.starts_with("Decode") || op.starts_with("Parse");
}

// A tensor in the graph or in the body of a function.
struct Place {
    const Graph* graph = nullptr;
    Endpoint tensor;

    auto operator<=>(const Place& other) const
    {
        return std::tie(graph, tensor.node, tensor.port) <=>
               std::tie(other.graph, other.tensor.node, other.tensor.port);
    }
    bool operator==(const Place& other) const = default;
};

// Adds the arguments of the functions that the reader calls with the tensor.
void addArguments(const Graph& graph, const Consumer& reader, const FunctionLibrary* library,
                  std::vector<Place>& open)
{
    if (library == nullptr)
        return;
    for (const FunctionPtr& function : calledFunctions(graph, graph.node(reader.node), *library))
        if (reader.slot < function->arguments.size() && reader.slot < function->body->size())
            open.push_back({function->body.get(), {NodeId{reader.slot}, 0}});
}

// Returns whether an op that the tensor reaches through copies and calls parses it. Each position
// is visited once, because a file may chain any number of copies, and functions may call
// themselves.
bool isParsed(const Graph& graph, const Endpoint& tensor)
{
    std::set<Place> seen;
    std::vector<Place> open{{&graph, tensor}};
    while (!open.empty()) {
        const Place at = open.back();
        open.pop_back();
        if (!seen.insert(at).second)
            continue;
        for (const Consumer& reader : at.graph->consumers(at.tensor.node)) {
            if (reader.port != at.tensor.port)
                continue;
            const std::string_view op = at.graph->node(reader.node).op();
            if (isParser(op))
                return true;
            if (passesInputOn(op))
                open.push_back({at.graph, {reader.node, 0}});
            else
                addArguments(*at.graph, reader, graph.functions(), open);
        }
    }
    return false;
}

// Returns whether the value enters a loop, which it does by an Enter, directly or through copies.
bool entersLoop(const Graph& graph, NodeId id)
{
    std::set<NodeId> seen{id};
    std::vector<NodeId> open{id};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Consumer& reader : graph.consumers(at)) {
            const std::string_view op = graph.node(reader.node).op();
            if (reader.isControl())
                continue;
            if (isEnter(op) || callKind(op) == CallKind::Loop)
                return true;
            if (passesInputOn(op) && seen.insert(reader.node).second)
                open.push_back(reader.node);
        }
    }
    return false;
}

std::string opNames(const std::vector<MissingKernel>& missing)
{
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, missing.size()); ++i)
        text.append(i == 0 ? "" : ", ").append(opWords(missing[i].op));
    if (missing.size() > most)
        text += " and " + std::to_string(missing.size() - most) + " more";
    return text;
}

} // namespace

RunObstacle runObstacle(const GraphEntry& entry, const Result<ModelInterface>& known,
                        const fs::path& path, const Job& job)
{
    const auto lifted = liftGraph(entry.graph, job);
    if (!lifted)
        return {lifted.error().message};
    GraphEntry own = entry;
    own.graph = *lifted;
    const auto interface = own.graph == entry.graph ? known : modelInterface(own, "");
    if (!interface)
        return {interface.error().message};
    RunRequest request;
    request.fetches = interface->outputs;
    for (const FeedTarget& input : interface->inputs)
        request.feeds.emplace_back(input.tensor, Value());
    const auto missing = Session(own.graph, {}).missingKernels(request);
    if (std::ranges::any_of(missing, isConstWithoutValue, &MissingKernel::op))
        return {"weights of its constants are not in the file"};
    if (!missing.empty())
        return {"there is no kernel for " + opNames(missing)};
    const std::vector<NodeId> needed = neededNodes(*own.graph, *interface);
    const fs::path checkpoint = checkpointBeside(path);
    const std::string missingFile = checkpoint.empty() ? "" : missingShard(checkpoint);
    const bool isRestored = !checkpoint.empty() && missingFile.empty();
    const std::set<NodeId> set = variablesSet(*own.graph, entry.loading.initOp);
    const auto variables = std::size_t(std::ranges::count_if(needed, [&](NodeId id) {
        return isStoredVariable(own.graph->node(id).op()) && !set.contains(id);
    }));
    if (variables > 0 && !isRestored && !checkpoint.empty())
        return {valuesAreMissing(checkpoint, missingFile), true};
    if (variables > 0 && !isRestored)
        return {(variables == 1 ? std::string("its variable has no value")
                                : "its " + std::to_string(variables) + " variables have no values"),
                true};
    if (known) // checks the file's own graph: the lifted one has ops that no file may have
        if (const std::string fault = faultOf(*entry.graph, neededNodes(*entry.graph, *known), job);
            !fault.empty())
            return {.what = fault, .isFault = true};
    const auto first = std::ranges::find_if(
        needed, [&](NodeId id) { return isChannelsFirst(own.graph->node(id)); });
    if (first != needed.end())
        return {std::string(own.graph->node(*first).name()) +
                " is in the layout NCHW, which is not computed here"};
    return {};
}

InputUse inputUse(const Graph& graph, const FeedTarget& input)
{
    const Input tensor = parseInput(input.tensor);
    const NodeId id = graph.find(tensor.node);
    if (!id.isValid())
        return InputUse::Plain;
    if (input.dtype == DType::String)
        return isParsed(graph, {id, tensor.port}) ? InputUse::Decoded : InputUse::Plain;
    const bool isNumber = isPlaceholder(graph.node(id).op()) && input.dtype != DType::Bool &&
                          input.dtype != DType::Invalid &&
                          (input.shape.unknownRank || input.shape.dims.empty());
    return isNumber && entersLoop(graph, id) ? InputUse::SteersLoop : InputUse::Plain;
}

} // namespace lapidary
