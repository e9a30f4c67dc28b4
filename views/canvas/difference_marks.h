#pragma once

#include "views/canvas/paint_context.h"

namespace lapidary {

// Outlines and signs of what differs from another graph: "+", "−", "~", "→", with counts where a
// box stands for several nodes.
void paintDifferences(const PaintContext& context, const DifferenceMarks& marks);

// How a kind is written: its sign and its colour; for legends too.
struct DifferenceSign {
    const char* sign;
    Role role;
    const char* name;
};
std::span<const DifferenceSign, 4> differenceSigns(); // added, removed, changed, renamed

} // namespace lapidary
