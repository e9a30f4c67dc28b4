// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/tensor/statistics.h"
#include "runner/checkpoint/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// The properties of one constant that the node panel shows.
struct TensorReport {
    NodeId node;
    std::string name;
    DType dtype = DType::Invalid;
    Shape shape;
    std::int64_t elements = 0;
    std::uint64_t bytes = 0; // bytes of the values; 0 if the dtype has no fixed size
    bool hasNumbers = false; // false for strings, which are shown as a table only
    TensorStatistics statistics;
    TensorGrid grid;
};

// Reports on any tensor, without node and name. The time grows with its size.
Result<TensorReport> reportOf(const Tensor& tensor, const Job& job);

// Reads the tensor of a Const, or of a variable in `store`. The time grows with the size of the
// weights.
Result<TensorReport> makeTensorReport(const Graph& graph, NodeId id, const VariableStore& store,
                                      const Job& job);

// Returns the constants (and the variables, on request) to show for a node: its own value, or those
// that feed it, also through Identity nodes. The largest come first.
std::vector<NodeId> constantsOf(const Graph& graph, NodeId id, bool withVariables = false);

} // namespace lapidary
