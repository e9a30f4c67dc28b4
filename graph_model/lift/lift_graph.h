// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lapidary {

// Says what operators that compute with codes of 8 bits become.
enum class CodedOperators : std::uint8_t {
    AsRuntime, // nodes whose kernels round as the runtime of the format does
    // The same for a file in another format: convolutions with groups and dilations, and resizes,
    // are one operator each there, though this program's kernels take several.
    AsWritten,
    // For a file, too: float operators between _Tflite_DEQUANTIZE and _Tflite_QUANTIZE.
    AsPairs,
};

// Returns the graph with TensorFlow's ops, for this program's kernels, if a .tflite or .onnx file
// names others: each operator becomes a node of its name with the same outputs, and further nodes
// before it. Operators on codes of 8 bits compute with the numbers that these represent and round
// as the file says. Operators without a counterpart are kept, with the format before their name, so
// that a run that needs them can name them. TensorFlow's own graphs are returned unchanged.
// `shapes`: of inputs ("x" or "x:0"), instead of those in the file; some operators are only lifted
// if sizes are known.
Result<GraphPtr> liftGraph(const GraphPtr& graph, const Job& job,
                           CodedOperators coded = CodedOperators::AsRuntime,
                           std::span<const std::pair<std::string, Shape>> shapes = {});

// Returns the node of `graph`, the one before liftGraph(), that a node of this name was made for:
// itself, or the operator that it was added for. Invalid if there is none.
NodeId liftedFrom(const Graph& graph, std::string_view name);

} // namespace lapidary
