// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scope_layout.h"

namespace lapidary {

// Returns the labels and widths of the edges of a scope. A label is a shape or "56 tensors"; the
// width depends on the tensors' bytes.
EdgeFaces describeEdges(const Graph& graph, const PreparedScope& scope,
                        const DescribeEdge& describe, const MeasureText& measure);

// The tensors of an input that the network reads: the largest one, and their number.
struct InputTensors {
    Endpoint largest;
    std::size_t count = 0;
};
InputTensors inputTensors(const Preparation& preparation, const DescribeEdge& describe, NodeId id);

} // namespace lapidary
