#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/write/byte_source.h"

namespace lapidary {

// The bytes of encodeGraphDef() in pieces of about a megabyte, or of one node where it is larger.
// Ends with an error where a file that weights lie in is no longer what was opened. `graph` must
// outlive the source.
ByteSource graphDefSource(const Graph& graph);

} // namespace lapidary
