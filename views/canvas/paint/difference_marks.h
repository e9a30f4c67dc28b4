// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"

namespace lapidary {

// Draws outlines and signs for the differences from another graph: "+", "−", "~", "→", with counts
// if a box represents several nodes.
void paintDifferences(const PaintContext& context, const DifferenceMarks& marks);

// How a kind of difference is shown, here and in legends: its sign and its color.
struct DifferenceSign {
    const char* sign;
    Role role;
    const char* name;
};
std::span<const DifferenceSign, 4> differenceSigns(); // added, removed, changed, renamed

} // namespace lapidary
