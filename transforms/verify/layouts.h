// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/values/value.h"

#include <cstdint>
#include <optional>

namespace lapidary {

// How the axes of pictures and sequences differ between two graphs. ONNX has the channels in front
// ([n, c, h, w]), TensorFlow and TFLite usually have them last ([n, h, w, c]).
enum class Layouts : std::uint8_t { Same, FirstIsOnnx, SecondIsOnnx };

// `a` and `b` are graphs as they were read, with the operators of their files.
Layouts layoutsOf(const Graph& a, const Graph& b);

// Returns the value `b` of the second graph with its axes in the order of the value `a` of the
// first one. Only the shapes tell the order: if they fit both orders, returns nothing; if they fit
// none, returns `b` unchanged.
std::optional<Value> inLayoutOf(const Value& a, const Value& b, Layouts layouts);

} // namespace lapidary
