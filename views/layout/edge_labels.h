// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scope_layout.h"

namespace lapidary {

// Finds for every labeled edge of a scope a rectangle beside its line that is free of boxes, pills,
// other edges and other labels; a label without such a rectangle is not shown. O(edges), by a grid.
void placeEdgeLabels(const EdgeFaces& faces, bool hasHeader, Direction direction,
                     ScopeLayout& layout);

} // namespace lapidary
