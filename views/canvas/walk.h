// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

namespace lapidary {

enum class Walk : std::uint8_t { Consumer, Producer, LeftSibling, RightSibling };

// Returns the visible item that one step along the edges, or to a sibling, reaches; invalid if
// there is none. Steps go through the borders of open groups. O(edges + links).
ItemId walked(const Scene& scene, ItemId from, Walk step);

// Returns the closed or open group box around an item, or an invalid item.
ItemId enclosingGroup(const Scene& scene, ItemId item);

} // namespace lapidary
