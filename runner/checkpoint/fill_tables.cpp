// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/fill_tables.h"

#include "graph_model/graph/table_handle.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

// Returns whether the op fills a table, from the graph or from a file.
bool isTableInitializer(std::string_view op)
{
    return fillsTableFromGraph(op) || op.starts_with("InitializeTable");
}

bool writesTable(std::string_view op)
{
    return isTableInitializer(op) || op.starts_with("LookupTableInsert") ||
           op.starts_with("LookupTableRemove");
}

NodeId tableOfWriter(const Graph& graph, NodeId writer)
{
    const auto inputs = graph.inputs(writer);
    return inputs.empty() ? NodeId() : tableOf(graph, inputs[0]);
}

} // namespace

std::vector<std::string> tableFillers(const Graph& graph)
{
    const auto fills = [](const NodePtr& node) { return isTableInitializer(node->op()); };
    if (std::ranges::none_of(graph.nodes(), fills))
        return {};
    std::vector<std::string> fillers;
    std::vector<bool> isConstant(graph.size(), false);
    for (const NodeId id : topologicalOrder(graph)) {
        const Node& node = graph.node(id);
        isConstant[id.value] = !node.op().starts_with("Placeholder") &&
                               !node.op().starts_with("Restore") && !isStoredVariable(node.op()) &&
                               std::ranges::all_of(graph.inputs(id), [&](const Endpoint& from) {
                                   return from.node.isValid() && isConstant[from.node.value];
                               });
        if (isConstant[id.value] && isTableInitializer(node.op()))
            fillers.emplace_back(node.name());
    }
    return fillers;
}

std::vector<std::string> certainFillers(const Graph& graph)
{
    std::vector<std::string> fillers = tableFillers(graph);
    if (fillers.empty())
        return {};
    std::map<NodeId, int> writers;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (writesTable(graph.node(NodeId{i}).op()))
            ++writers[tableOfWriter(graph, NodeId{i})];
    std::erase_if(fillers, [&](const std::string& filler) {
        const NodeId table = tableOfWriter(graph, graph.find(filler));
        return !table.isValid() || (isMutableTable(graph.node(table).op()) && writers[table] > 1);
    });
    return fillers;
}

Status fillTables(Session& session, const std::vector<std::string>& fillers, RunRequest request,
                  const Job& job)
{
    for (const std::string& filler : fillers) {
        request.targets = {filler};
        if (const auto done = session.run(request, job); !done && job.cancelled())
            return done.error();
    }
    return Done{};
}

} // namespace lapidary
