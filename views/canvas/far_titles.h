// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint_context.h"

#include <span>

namespace lapidary {

// Draws names at a readable size for zooms at which the boxes' own titles are too small: those of
// groups in the middle of their boxes, those of inputs, outputs and ops beside them where there is
// room. Outer groups come first, ops last; a title that would cover another is left out.
void paintFarTitles(const PaintContext& context, std::span<const std::uint32_t> boxes,
                    double opacity);

} // namespace lapidary
