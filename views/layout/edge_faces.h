#pragma once

#include "views/layout/scope_layout.h"

namespace lapidary {

// Shape, or "56 tensors", and width by the tensors' bytes of every edge of a scope.
EdgeFaces describeEdges(const Graph& graph, const PreparedScope& scope,
                        const DescribeEdge& describe, const MeasureText& measure);

} // namespace lapidary
