// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// Whose operators the nodes of a graph name. A graph that was read from a .tflite or .onnx file
// keeps the format's own names, and some of these mean another thing to TensorFlow: what knows ops
// by name asks this first.
enum class Dialect : std::uint8_t { TensorFlow, Tflite, Onnx };

// "TensorFlow", "TFLite", "ONNX".
std::string_view dialectName(Dialect dialect);

Dialect dialectOf(const Graph& graph);
// Returns what Graph::Parts::unknownFields has to hold: a field of GraphDef that TensorFlow steps
// over. It stays with the graph when it is edited.
std::string dialectField(Dialect dialect);

// An error where the graph is not TensorFlow's; `deed` begins its sentence: "is not transformed".
Status requireTensorFlow(const Graph& graph, std::string_view deed);

} // namespace lapidary
