// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"
#include "views/canvas/paint/scene_index.h"

#include <span>

namespace lapidary {

// Draws names at a readable size for zooms at which the boxes' own titles are too small: names of
// groups in the middle of their boxes, names of inputs, outputs and ops beside them if there is
// space and no line passes. Outer groups come first, ops last; a title that would cover another is
// left out. `index`: of the context's scene.
void paintFarTitles(const PaintContext& context, std::span<const std::uint32_t> boxes,
                    const SceneIndex& index, double opacity);

} // namespace lapidary
