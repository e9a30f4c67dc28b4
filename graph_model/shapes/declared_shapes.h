// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <optional>
#include <vector>

namespace lapidary {

struct TensorFacts {
    DType dtype = DType::Invalid; // Invalid: not known
    std::optional<Shape> shape;   // nothing: not known, not even the rank
};

// Returns what the file itself declares for output `port` of a node: _output_shapes, the value of a
// Const, the shape of a placeholder or variable, and through Identity-like ops the same of their
// input; dtypes by the op registry, those of references without the reference. Nothing is inferred
// by arithmetic. O(length of an Identity chain).
TensorFacts declaredFacts(const Graph& graph, Endpoint tensor);

// Returns the same of each output of a node in a graph of another format. An operator may have as
// many outputs as it likes, and asking for one after the other takes the square of their number.
std::vector<TensorFacts> storedFacts(const Node& node);

} // namespace lapidary
