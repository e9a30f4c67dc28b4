#pragma once

#include "views/layout/scene.h"

namespace lapidary {

enum class Walk : std::uint8_t { Consumer, Producer, LeftSibling, RightSibling };

// The visible item that a step along the edges or to a sibling leads to; invalid where there is
// none. Steps go through the borders of open groups. O(edges + links).
ItemId walked(const Scene& scene, ItemId from, Walk step);

// The closed or open group box around an item, or invalid.
ItemId enclosingGroup(const Scene& scene, ItemId item);

} // namespace lapidary
