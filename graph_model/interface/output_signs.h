// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// What the op of a node says about its being a result of the model.
bool isPickingOp(std::string_view op);   // takes the best of a tensor: ArgMax, TopK
bool isReshapingOp(std::string_view op); // brings a tensor into another form
bool neverAnOutput(std::string_view op);

// Tells whether a node is the result of a lookup in a table of words, default included, where words
// become numbers.
bool isLookup(const Graph& graph, NodeId id);

std::int64_t weighedPorts(const Node& node); // that are looked at

// Returns the name of an output in the op's definition; empty if it has none.
std::string_view outputName(const Node& node, std::int32_t port);

// Tells whether a tensor holds the indices or the shape of a sparse tensor.
bool isSparseFrame(const Node& node, std::int32_t port);

} // namespace lapidary
