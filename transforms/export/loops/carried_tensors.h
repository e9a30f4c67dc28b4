// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstddef>
#include <vector>

namespace lapidary {

// Whether a node only hands tensors on: control flow and copies.
bool carriesOn(std::string_view op);
// The slots in which a node reads a tensor.
std::vector<std::size_t> slotsReading(const Graph& graph, NodeId reader, const Endpoint& tensor);
// The outputs that are what a node reads in that slot, which also Select may choose; none where it
// does something else with it.
std::vector<Endpoint> carriedTo(const Graph& graph, NodeId reader, std::size_t slot);

} // namespace lapidary
