// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"

namespace lapidary {

// Draws outlines and signs for the differences from another graph: "+", "−", "~", "→", with counts
// if a box represents several nodes.
void paintDifferences(const PaintContext& context, const DifferenceMarks& marks);

// The sign and color of a kind of difference, in pictures and in legends.
struct DifferenceSign {
    const char* sign;
    Role role;
    const char* name;
};
std::span<const DifferenceSign, 4> differenceSigns(); // added, removed, changed, renamed

} // namespace lapidary
