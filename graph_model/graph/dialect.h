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

// "TensorFlow", "TFLite", "ONNX".
std::string_view dialectName(Dialect dialect);

Dialect dialectOf(const Graph& graph);
// The definition of a node's op in TensorFlow's registry. Null where it has none, and in graphs of
// the other dialects: their operators are others, though some are called the same. Their inputs and
// constants are nodes of TensorFlow.
const OpSpec* registeredOp(const Graph& graph, NodeId id);
// Returns the content of Graph::Parts::unknownFields: a field of GraphDef that TensorFlow skips. It
// stays with the graph when it is edited.
std::string dialectField(Dialect dialect);

// An error where the graph is not TensorFlow's; `deed` begins its sentence: "is not transformed".
Status requireTensorFlow(const Graph& graph, std::string_view deed);

} // namespace lapidary
