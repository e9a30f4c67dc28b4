// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/coloring.h"
#include "runner/profile/profile_delta.h"

namespace lapidary {

// Which boxes of a graph are slower, faster, new or gone in the later of two runs. `isLater`: the
// graph is that of the later run, else that of the earlier one. A group has the class of what its
// nodes that differ add up to.
ColorClasses deltaColors(const ProfileDelta& delta, bool isLater, const Preparation& preparation);

} // namespace lapidary
