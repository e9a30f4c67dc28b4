// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint_context.h"

#include <span>

namespace lapidary {

// Draws names of groups at a readable size in the middle of their boxes, for zooms at which the
// boxes' own titles are too small. Outer groups come first; a title that would cover another is
// left out.
void paintFarTitles(const PaintContext& context, std::span<const std::uint32_t> boxes,
                    double opacity);

} // namespace lapidary
