#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"

namespace lapidary {

// Whether the node's numbers, lists and names are what the op's registration allows (N >= 1,
// padding of SAME or VALID). The message of the error names the node.
Status checkAttrLimits(const Node& node);

} // namespace lapidary
