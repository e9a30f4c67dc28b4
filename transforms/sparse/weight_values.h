// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <string>
#include <vector>

namespace lapidary {

// The entries of a column that are not about 0 (|v| < 1e-5): rows and values, at least one.
struct SparseColumn {
    std::vector<std::int64_t> rows;
    std::vector<float> values;
};

struct ColumnRead {
    SparseColumn column;
    std::string declined; // why it is not a float column; else empty
};

// Reads the values of a Const, or of a variable from the checkpoint at `prefix`: the slice of it
// that the graph's saver restores into this variable. Errors: no checkpoint, no saver, a checkpoint
// without the variable.
Result<ColumnRead> readColumn(const Graph& graph, NodeId weights, const std::string& prefix,
                              const Job& job);

} // namespace lapidary
