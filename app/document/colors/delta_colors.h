// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "runner/profile/profile_delta.h"

namespace lapidary {

// Colors the boxes of a graph that are slower, faster, new or gone in the later of two runs. The
// graph is that of the later run if `isLater`, else that of the earlier one. A group gets the class
// of the sum of its nodes that differ.
ColorClasses deltaColors(const ProfileDelta& delta, bool isLater, const Preparation& preparation);

} // namespace lapidary
