#pragma once

#include "graph_model/interface/node_roles.h"

namespace lapidary {

// Places in the middle of a network that people cut at. Invalid where there is no such place.
struct NarrowPoints {
    NodeId narrowest;   // the end of the layer with fewest values, if layers behind it widen
    NodeId lastMeeting; // the last concatenation that is not the end
};

// Widths are those of fully connected layers: for a convolution, the size of its pictures would
// have to be known too.
NarrowPoints narrowPoints(const Graph& graph, const NodeRoles& roles);

} // namespace lapidary
