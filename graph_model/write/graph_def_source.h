// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/write/byte_source.h"

namespace lapidary {

// Returns the bytes of encodeGraphDef() in pieces of about a megabyte, or of one node if it is
// larger and was read from a file; large constants that were made are not copied. Fails at the end
// if a file that contains weights has changed since it was opened. `graph` must outlive the source.
ByteSource graphDefSource(const Graph& graph);
// Same for another process of this program, which also accepts the operators of .tflite and .onnx
// files.
ByteSource ownGraphSource(const Graph& graph);

} // namespace lapidary
