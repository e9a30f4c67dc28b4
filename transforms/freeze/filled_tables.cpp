// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/filled_tables.h"

#include "graph_model/graph/function.h"
#include "graph_model/graph/table_handle.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/freeze/classic_graph.h"
#include "transforms/freeze/text_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lapidary {
namespace {

// The inputs of a node that fills a table: the table, keys and values.
constexpr std::size_t fillerInputs = 3;

// Returns the table that a node fills with values of the graph; invalid if it fills none.
NodeId filledTable(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    const bool fills = fillsTableFromGraph(graph.node(id).op()) && inputs.size() >= fillerInputs;
    return fills ? tableOf(graph, inputs[0]) : NodeId();
}

bool readsConstants(const Graph& graph, NodeId filler, const std::vector<bool>& isConstantValue)
{
    const auto inputs = graph.inputs(filler);
    return std::ranges::all_of(inputs.begin() + 1, inputs.end(), [&](const Endpoint& from) {
        return from.node.isValid() && isConstantValue[from.node.value];
    });
}

// Returns the node that fills each table from constants; invalid if there is none. Several that
// fill a table once have the same content, else TensorFlow refuses it; of several that fill a
// mutable table nobody knows which is the last.
std::map<NodeId, NodeId> fillersOf(const Graph& graph)
{
    const std::vector<bool> isConstantValue = computedOfConstants(graph);
    std::map<NodeId, NodeId> fillers;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        const NodeId table = filledTable(graph, id);
        if (!table.isValid())
            continue;
        const NodeId one = readsConstants(graph, id, isConstantValue) ? id : NodeId();
        const auto [at, isNew] = fillers.emplace(table, one);
        if (isNew)
            continue;
        if (isMutableTable(graph.node(table).op()))
            at->second = NodeId();
        else if (!at->second.isValid())
            at->second = one;
    }
    return fillers;
}

// Returns the nodes that read a table, past copies of its handle.
std::vector<NodeId> readersOf(const Graph& graph, NodeId table)
{
    std::vector<NodeId> readers;
    std::vector<NodeId> open{table};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Consumer& reader : graph.consumers(at))
            if (!reader.isControl())
                (copiesInput(graph.node(reader.node).op()) ? open : readers).push_back(reader.node);
    }
    return readers;
}

// Returns the node and all that it needs. What fills a table needs little.
std::set<NodeId> needsOf(const Graph& graph, NodeId id)
{
    std::set<NodeId> needs{id};
    std::vector<NodeId> open{id};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Endpoint& from : graph.inputs(at))
            if (from.node.isValid() && needs.insert(from.node).second)
                open.push_back(from.node);
    }
    return needs;
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
        const std::set<NodeId> needs = needsOf(*graph, filler);
        for (const NodeId reader : readersOf(*graph, table))
            if (isNeeded[reader.value] && !needs.contains(reader))
                waits[reader].push_back("^" + std::string(graph->node(filler).name()));
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
