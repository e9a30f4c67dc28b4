// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/filled_tables.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/freeze/classic_graph.h"
#include "transforms/freeze/text_tables.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lapidary {
namespace {

// The inputs of a node that fills a table: the table, keys and values.
constexpr std::size_t fillerInputs = 3;

bool hasTableToFill(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    return fillsTableFromGraph(graph.node(id).op()) && inputs.size() >= fillerInputs &&
           inputs[0].node.isValid();
}

bool readsConstants(const Graph& graph, NodeId filler, const std::vector<bool>& isConstantValue)
{
    const auto inputs = graph.inputs(filler);
    return std::ranges::all_of(inputs.begin() + 1, inputs.end(), [&](const Endpoint& from) {
        return from.node.isValid() && isConstantValue[from.node.value];
    });
}

// Returns the one node that fills each table from constants; invalid if there are several.
std::map<NodeId, NodeId> fillersOf(const Graph& graph)
{
    const std::vector<bool> isConstantValue = computedOfConstants(graph);
    std::map<NodeId, NodeId> fillers;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        if (!hasTableToFill(graph, id))
            continue;
        const NodeId one = readsConstants(graph, id, isConstantValue) ? id : NodeId();
        const auto [at, isNew] = fillers.emplace(graph.inputs(id)[0].node, one);
        if (!isNew)
            at->second = NodeId();
    }
    return fillers;
}

} // namespace

bool hasTables(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(),
                               [](const NodePtr& node) { return isTable(node->op()); });
}

bool fillsTables(const Graph& graph, NodeId init)
{
    const std::vector<bool> isRun = keptNodes(graph, {}, std::span(&init, 1));
    std::vector<NodeId> run;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (isRun[i])
            run.push_back(NodeId{i});
    const auto fills = [](const NodePtr& node) {
        return fillsTableFromGraph(node->op()) || fillsTableFromText(node->op());
    };
    const auto isFiller = [&](NodeId id) { return fills(graph.nodes()[id.value]); };
    if (std::ranges::any_of(run, isFiller))
        return true;
    if (graph.functions() == nullptr)
        return false;
    return std::ranges::any_of(functionsBehind(graph, run, *graph.functions()),
                               [&](const FunctionPtr& function) {
                                   return std::ranges::any_of(function->body->nodes(), fills);
                               });
}

Result<EditResult> withFilledTables(const GraphPtr& graph, std::span<const NodeId> outputs)
{
    const std::vector<bool> isNeeded = keptNodes(*graph, {}, outputs);
    std::map<NodeId, std::vector<std::string>> waits;
    for (const auto& [table, filler] : fillersOf(*graph)) {
        if (!filler.isValid() || isNeeded[filler.value] || !isNeeded[table.value])
            continue;
        for (const Consumer& reader : graph->consumers(table))
            if (!reader.isControl() && isNeeded[reader.node.value])
                waits[reader.node].push_back("^" + std::string(graph->node(filler).name()));
    }
    GraphEdit edit(graph);
    for (const auto& [id, names] : waits) {
        NodeDraft draft = NodeDraft::of(graph->node(id));
        draft.inputs.insert(draft.inputs.end(), names.begin(), names.end());
        edit.replace(id, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace lapidary
