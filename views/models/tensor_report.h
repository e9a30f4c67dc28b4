#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/tensor/statistics.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// What the node panel shows of one constant.
struct TensorReport {
    NodeId node;
    std::string name;
    DType dtype = DType::Invalid;
    Shape shape;
    std::int64_t elements = 0;
    std::uint64_t bytes = 0; // of the values, 0 where the dtype has no fixed size
    bool hasNumbers = false; // false: strings, shown as a table only
    TensorStatistics statistics;
    TensorGrid grid;
};

// Reads the tensor of a Const, or of a variable in `checkpoint`; takes as long as its weights are
// large.
Result<TensorReport> makeTensorReport(const Graph& graph, NodeId id,
                                      const std::filesystem::path& checkpoint, const Job& job);

// The constants, and variables if asked for, to show for a node: its own value, or those that feed
// it, also through Identity nodes, largest first.
std::vector<NodeId> constantsOf(const Graph& graph, NodeId id, bool withVariables = false);

} // namespace lapidary
