// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/node_data/node_data.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Numbers of nodes arranged for one graph: a row for each node that has one, in the order of the
// graph, then a row for each key that names no node of it; a column for each NodeData.
class DataTable {
public:
    struct Row {
        NodeId node;      // invalid: the graph has no such node
        std::string name; // of the node; the key if there is none
    };
    struct Column {
        std::string name;
        std::string unit;
        std::string source;
        ScopeNumber ofScope = ScopeNumber::Largest;
        std::vector<double> numbers; // by row; NaN: none
        std::int64_t nodes = 0;      // number of nodes that have a number
        std::int64_t withoutNumber = 0;
        std::vector<std::string> unknown; // keys that name no node
        bool isByPosition = false;        // keys are positions of nodes, as in Model Explorer
    };

    // A node gets the largest number if several keys name its outputs, or if the data has several
    // rows for it.
    static Result<std::shared_ptr<const DataTable>>
    make(const GraphPtr& graph, const std::vector<NodeData>& data, const Job& job);

    const GraphPtr& graph() const { return m_graph; }
    const std::vector<Row>& rows() const { return m_rows; }
    const std::vector<Column>& columns() const { return m_columns; }
    std::optional<std::size_t> rowOf(NodeId node) const;
    std::optional<double> number(std::size_t row, std::size_t column) const;

private:
    DataTable() = default;

    GraphPtr m_graph;
    std::vector<Row> m_rows;
    std::vector<Column> m_columns;
    std::vector<std::uint32_t> m_rowOfNode; // UINT32_MAX: none
};
using DataTablePtr = std::shared_ptr<const DataTable>;

} // namespace lapidary
