// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_registry.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The operator set of a graph's nodes. A graph that was read from a .tflite or .onnx file keeps the
// format's own names, and some of these mean something else in TensorFlow: code that knows ops by
// name checks this first.
enum class Dialect : std::uint8_t { TensorFlow, Tflite, Onnx };

// Returns "TensorFlow", "TFLite" or "ONNX".
std::string_view dialectName(Dialect dialect);

Dialect dialectOf(const Graph& graph);
// Returns the definition of a node's op in TensorFlow's registry, or null if there is none.
// Operators of the other dialects have none, even under the same name; the inputs and constants of
// their graphs are TensorFlow nodes.
const OpSpec* registeredOp(const Graph& graph, NodeId id);
// Returns the content of Graph::Parts::unknownFields that marks the dialect: a field of GraphDef
// that TensorFlow skips. It stays with the graph when it is edited.
std::string dialectField(Dialect dialect);

// Returns an error if the graph is not a TensorFlow graph. `deed` completes its sentence: "is not
// transformed".
Status requireTensorFlow(const Graph& graph, std::string_view deed);

} // namespace lapidary
