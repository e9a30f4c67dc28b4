#pragma once

#include "views/canvas/paint_context.h"

#include <span>

namespace lapidary {

// Names of groups at a readable size in the middle of their boxes, for zooms at which their own
// titles are too small. Outer groups first; a title that would cover another is left out.
void paintFarTitles(const PaintContext& context, std::span<const std::uint32_t> boxes,
                    double opacity);

} // namespace lapidary
