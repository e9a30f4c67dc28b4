// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstddef>
#include <vector>

namespace lapidary {

// Returns whether a node only passes tensors on: control flow and copies.
bool carriesOn(std::string_view op);
// Returns the slots in which a node reads a tensor.
std::vector<std::size_t> slotsReading(const Graph& graph, NodeId reader, const Endpoint& tensor);
// Returns the outputs that pass on the tensor in that slot, as Select does, too, if it chooses it;
// none if the node does something else with it.
std::vector<Endpoint> carriedTo(const Graph& graph, NodeId reader, std::size_t slot);

} // namespace lapidary
