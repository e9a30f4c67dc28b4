// SPDX-License-Identifier: Apache-2.0
#include "runner/node_data/data_table.h"

#include "graph_model/base/digits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace lapidary {
namespace {

constexpr std::uint32_t noRow = UINT32_MAX;
constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

// Returns the node of a key, which is its name or that of one of its tensors.
NodeId namedNode(const Graph& graph, std::string_view key)
{
    if (const NodeId node = graph.find(key); node.isValid())
        return node;
    const std::size_t colon = key.rfind(':');
    return colon == std::string_view::npos ? NodeId{} : graph.find(key.substr(0, colon));
}

NodeId nodeAt(const Graph& graph, std::string_view key)
{
    const auto position = parsedNumber<std::uint32_t>(key);
    return position && *position < graph.size() ? NodeId{*position} : NodeId{};
}

// Returns whether all keys are positions of nodes: Model Explorer numbers the nodes of a GraphDef.
bool areByPosition(const Graph& graph, const NodeData& data)
{
    return std::ranges::all_of(data.numbers, [&](const NodeNumber& number) {
        return nodeAt(graph, number.key).isValid() && !namedNode(graph, number.key).isValid();
    });
}

struct Matched {
    std::map<std::uint32_t, double> ofNode;
    std::map<std::string, double> unknown;
    bool isByPosition = false;
};

template <class Numbers, class Key>
void keepLargest(Numbers& numbers, const Key& key, double number)
{
    const auto [at, isNew] = numbers.try_emplace(key, number);
    if (!isNew)
        at->second = std::max(at->second, number);
}

Result<Matched> matched(const Graph& graph, const NodeData& data, const Job& job)
{
    Matched found;
    found.isByPosition = areByPosition(graph, data);
    for (std::size_t i = 0; i < data.numbers.size(); ++i) {
        if (i % 4096 == 0 && job.cancelled())
            return cancelledError();
        const auto& [key, number] = data.numbers[i];
        const NodeId node = found.isByPosition ? nodeAt(graph, key) : namedNode(graph, key);
        if (node.isValid())
            keepLargest(found.ofNode, node.value, number);
        else
            keepLargest(found.unknown, key, number);
    }
    return found;
}

} // namespace

Result<DataTablePtr> DataTable::make(const GraphPtr& graph, const std::vector<NodeData>& data,
                                     const Job& job)
{
    std::vector<Matched> all;
    std::vector<bool> isRow(graph->size());
    std::map<std::string, std::uint32_t> unknownRows;
    for (const NodeData& one : data) {
        ASSIGN_OR_RETURN(Matched found, matched(*graph, one, job));
        for (const auto& [node, number] : found.ofNode)
            isRow[node] = true;
        for (const auto& [key, number] : found.unknown)
            unknownRows.emplace(key, noRow);
        all.push_back(std::move(found));
    }
    DataTable table;
    table.m_graph = graph;
    table.m_rowOfNode.assign(graph->size(), noRow);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (!isRow[i])
            continue;
        table.m_rowOfNode[i] = std::uint32_t(table.m_rows.size());
        table.m_rows.push_back({NodeId{i}, std::string(graph->node(NodeId{i}).name())});
    }
    for (auto& [key, row] : unknownRows) {
        row = std::uint32_t(table.m_rows.size());
        table.m_rows.push_back({NodeId{}, key});
    }
    for (std::size_t i = 0; i < data.size(); ++i) {
        const Matched& found = all[i];
        Column column{data[i].name, data[i].unit, data[i].source, data[i].ofScope};
        column.numbers.assign(table.m_rows.size(), noNumber);
        column.nodes = std::int64_t(found.ofNode.size());
        column.withoutNumber = data[i].withoutNumber;
        column.isByPosition = found.isByPosition;
        for (const auto& [node, number] : found.ofNode)
            column.numbers[table.m_rowOfNode[node]] = number;
        for (const auto& [key, number] : found.unknown) {
            column.numbers[unknownRows[key]] = number;
            column.unknown.push_back(key);
        }
        table.m_columns.push_back(std::move(column));
    }
    return std::make_shared<const DataTable>(std::move(table));
}

std::optional<std::size_t> DataTable::rowOf(NodeId node) const
{
    if (!node.isValid() || node.value >= m_rowOfNode.size() || m_rowOfNode[node.value] == noRow)
        return {};
    return m_rowOfNode[node.value];
}

std::optional<double> DataTable::number(std::size_t row, std::size_t column) const
{
    const double number = m_columns[column].numbers[row];
    return std::isnan(number) ? std::nullopt : std::optional(number);
}

} // namespace lapidary
