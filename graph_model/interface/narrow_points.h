// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/node_roles.h"

namespace lapidary {

// Nodes in the middle of a network where users often cut it. Invalid if there is no such node.
struct NarrowPoints {
    NodeId narrowest;   // last node of the layer with the fewest values, if later layers are wider
    NodeId lastMeeting; // the last concatenation, unless it is at the end of the network
};

// Only fully connected layers are compared: for a convolution, the size of its pictures would be
// needed too.
NarrowPoints narrowPoints(const Graph& graph, const NodeRoles& roles);

} // namespace lapidary
