// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <span>
#include <string_view>

namespace lapidary {

// The graphs of a verification, and for each node of `a` the node of `b` that a comparison of the
// graphs found for it, or an invalid id.
struct ComparedGraphs {
    const Graph& a;
    const Graph& b;
    std::span<const NodeId> counterparts;

    // Returns the node of `b` that computes the numbers of a node of `a`: NAME/eightbit, which
    // quantize_nodes made from it, or else its counterpart. May be invalid.
    NodeId sameNumbers(NodeId id) const;
    // Returns the op that computes them, "Relu" for QuantizedRelu; empty if there is none.
    std::string_view opOfSameNumbers(NodeId id) const;
};

} // namespace lapidary
