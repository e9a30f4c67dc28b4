#pragma once

#include "graph_model/interface/node_roles.h"

namespace lapidary {

// Places in the middle of a network that people cut at. Invalid where there is no such place.
struct NarrowPoints {
    NodeId narrowest; // the last node of the layer with fewest channels, if layers behind it widen
    NodeId lastMeeting; // the last concatenation that is not the end
};

// Widths are those of the weights of fully connected layers and convolutions.
NarrowPoints narrowPoints(const Graph& graph, const NodeRoles& roles);

} // namespace lapidary
