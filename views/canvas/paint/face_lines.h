// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"
#include "views/canvas/paint/text_cache.h"

#include <span>
#include <string>
#include <vector>

namespace lapidary {

// A line of text on the face of a box.
struct FaceLine {
    std::string text;
    TextRole role;
    QColor color;
};

QColor faded(QColor color, double opacity);

// Returns the height of lines one below the other, in scene units.
double heightOf(std::span<const FaceLine> lines);

// Returns the scale for the lines of a box: that of the picture, or a larger one if they would be
// hard to read, limited by the space in the box. In a small picture only two lines are kept: the
// first one, which names the box, and the last of the others that is readable beside it.
double readableScale(const PaintContext& context, const QRectF& room, std::vector<FaceLine>& lines);

// Draws lines one below the other, the whole block centered vertically in `room`. Lines that do not
// fit are left out, the last ones first.
void paintLines(const PaintContext& context, const QRectF& room, std::span<const FaceLine> lines,
                TextCache::Align align, double scale);

} // namespace lapidary
