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

// The form of lifted operators that compute with codes of 8 bits.
enum class CodedOperators : std::uint8_t {
    AsRuntime, // nodes whose kernels round as the runtime of the format does
    // Same, for a file of another format: convolutions with groups and dilations, and resizes, are
    // one operator each there, though this program's kernels need several.
    AsWritten,
    // For a file as well: float operators between _Tflite_DEQUANTIZE and _Tflite_QUANTIZE.
    AsPairs,
};

// Returns the graph with TensorFlow's ops, for this program's kernels, if it has operators of a
// .tflite or .onnx file: each operator becomes a node of its name with the same outputs, and
// further nodes before it. Operators on codes of 8 bits compute with the numbers that these
// represent and round as the file prescribes. Operators without a counterpart are kept, with the
// format before their name, so that a run that needs them can report them. TensorFlow's own graphs
// are returned unchanged. `shapes`: of inputs ("x" or "x:0"), which override those in the file;
// some operators are only lifted if sizes are known.
Result<GraphPtr> liftGraph(const GraphPtr& graph, const Job& job,
                           CodedOperators coded = CodedOperators::AsRuntime,
                           std::span<const std::pair<std::string, Shape>> shapes = {});

// Returns the node of `graph` (before liftGraph()) for which the lifted node `name` was made: the
// one of that name, or the operator for which it was added. Invalid if there is none.
NodeId liftedFrom(const Graph& graph, std::string_view name);

} // namespace lapidary
