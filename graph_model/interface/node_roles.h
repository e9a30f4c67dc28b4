#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>
#include <vector>

namespace lapidary {

// What nodes are there for, told from ops and wiring alone.
struct NodeRoles {
    std::vector<bool> source;   // data comes in here: placeholders, iterators, dequeues, arguments
    std::vector<bool> fed;      // depends on a source
    std::vector<bool> backward; // a gradient, or computed from one
    std::vector<bool> keeper; // saves, initialises, trains, queues, summarises, or serves only that
};
NodeRoles nodeRoles(const Graph& graph);

bool isPlaceholderOp(std::string_view op);
// Brings elements out of a pipeline: iterators, dequeues, readers, decoders of files.
bool isPipelineOp(std::string_view op);
bool isVariableOp(std::string_view op);
bool isPassThroughOp(std::string_view op); // Identity and its kin: the same value again
bool isLossOp(std::string_view op);

} // namespace lapidary
