// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <optional>
#include <vector>

namespace lapidary {

struct TensorFacts {
    DType dtype = DType::Invalid; // Invalid: unknown
    std::optional<Shape> shape;   // not set: unknown, even the rank
};

// Returns the facts that the file declares for output `port` of a node: _output_shapes, the value
// of a Const, the shape of a placeholder or variable, and for Identity-like ops the facts of their
// input; dtypes by the op registry, those of references without the reference. Nothing is inferred
// by arithmetic. O(length of an Identity chain).
TensorFacts declaredFacts(const Graph& graph, Endpoint tensor);

// Returns the same for all outputs of a node in a graph of another format. An operator may have any
// number of outputs, and reading them one by one would take quadratic time.
std::vector<TensorFacts> storedFacts(const Node& node);

} // namespace lapidary
