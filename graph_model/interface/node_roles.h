#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>
#include <vector>

namespace lapidary {

// What nodes are there for, told from ops and wiring. One flag a node, each computed in one pass
// along the data edges.
struct NodeRoles {
    std::vector<bool> source;   // data comes in here: placeholders, iterators, dequeues, arguments
    std::vector<bool> fed;      // depends on a source
    std::vector<bool> content;  // depends on the values of a source, not only on its shape
    std::vector<bool> weighted; // depends on a variable
    std::vector<bool> backward; // a gradient, or computed from one
    std::vector<bool> effect;   // is run for its effect: saves, initialises, trains, queues
    std::vector<bool> trains;   // serves only to train, save or fill a queue
    std::vector<bool> keeper;   // the same, or to summarise
    std::vector<bool> inLoop;   // its value never leaves a loop by itself
    std::vector<bool> measured; // comes after results were compared with data fed beside them
    std::vector<bool> compared; // such a result
};
NodeRoles nodeRoles(const Graph& graph);

bool isPlaceholderOp(std::string_view op);
// Brings elements out of a pipeline: iterators, dequeues, readers.
bool isPipelineOp(std::string_view op);
bool isVariableOp(std::string_view op);
bool isPassThroughOp(std::string_view op); // Identity and its kin: the same value again
bool isShapeOp(std::string_view op);       // tells of a tensor's size, not of its content

} // namespace lapidary
