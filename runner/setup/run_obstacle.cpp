// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/run_obstacle.h"

#include "graph_model/lift/lift_graph.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/execute/session.h"
#include "runner/setup/model_interface.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// What is fetched needs these nodes, not looking behind what is fed.
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

// Whether the checkpoint is there with its values; the index alone can be lost in publishing.
bool hasShards(const fs::path& checkpoint)
{
    fs::path index = checkpoint;
    index += ".index";
    std::error_code fault;
    if (!fs::exists(index, fault))
        return true; // of the first version, without an index
    const std::string beginning = checkpoint.filename().string() + ".data-";
    for (fs::directory_iterator at(checkpoint.parent_path(), fault), end; !fault && at != end;
         at.increment(fault))
        if (at->path().filename().string().starts_with(beginning))
            return true;
    return false;
}

std::string opNames(const std::vector<MissingKernel>& missing)
{
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, missing.size()); ++i)
        text.append(i == 0 ? "" : ", ").append(missing[i].op);
    if (missing.size() > most)
        text += " and " + std::to_string(missing.size() - most) + " more";
    return text;
}

} // namespace

RunObstacle runObstacle(const GraphEntry& entry, const fs::path& path, const Job& job)
{
    const auto lifted = liftGraph(entry.graph, job);
    if (!lifted)
        return {lifted.error().message};
    GraphEntry own = entry;
    own.graph = *lifted;
    const auto interface = modelInterface(own, "");
    if (!interface)
        return {interface.error().message};
    RunRequest request;
    request.fetches = interface->outputs;
    for (const FeedTarget& input : interface->inputs)
        request.feeds.emplace_back(input.tensor, Value());
    const auto missing = Session(own.graph, {}).missingKernels(request);
    if (!missing.empty())
        return {"there is no kernel for " + opNames(missing)};
    const std::vector<NodeId> needed = neededNodes(*own.graph, *interface);
    const auto variables = std::size_t(std::ranges::count_if(
        needed, [&](NodeId id) { return isStoredVariable(own.graph->node(id).op()); }));
    const fs::path checkpoint = checkpointBeside(path);
    const bool isInitialized =
        checkpoint.empty() ? !entry.loading.initOp.empty() : hasShards(checkpoint);
    if (variables > 0 && !isInitialized)
        return {(variables == 1 ? std::string("its variable has no value")
                                : "its " + std::to_string(variables) + " variables have no values"),
                true};
    const auto first = std::ranges::find_if(
        needed, [&](NodeId id) { return isChannelsFirst(own.graph->node(id)); });
    if (first != needed.end())
        return {std::string(own.graph->node(*first).name()) +
                " is in the layout NCHW, which is not computed here"};
    return {};
}

std::vector<std::string> tableInitializers(const Graph& graph)
{
    std::vector<std::string> names;
    for (const NodePtr& node : graph.nodes())
        if (node->op().starts_with("InitializeTable") ||
            node->op().starts_with("LookupTableImport"))
            names.emplace_back(node->name());
    return names;
}

} // namespace lapidary
