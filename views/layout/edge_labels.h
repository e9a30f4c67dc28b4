#pragma once

#include "views/layout/scope_layout.h"

namespace lapidary {

// Gives every edge of a scope that has a label a place for it beside its line, free of boxes,
// pills, other edges and other labels; none where there is none. O(edges) by a grid.
void placeEdgeLabels(const EdgeFaces& faces, bool hasHeader, Direction direction,
                     ScopeLayout& layout);

} // namespace lapidary
