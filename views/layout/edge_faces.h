// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scope_layout.h"

namespace lapidary {

// Returns label and width of every edge of a scope: its shape, or "56 tensors", and a width by the
// tensors' bytes.
EdgeFaces describeEdges(const Graph& graph, const PreparedScope& scope,
                        const DescribeEdge& describe, const MeasureText& measure);

// The tensors that the network reads of an input: the largest one, and their number.
struct InputTensors {
    Endpoint largest;
    std::size_t count = 0;
};
InputTensors inputTensors(const Preparation& preparation, const DescribeEdge& describe, NodeId id);

} // namespace lapidary
