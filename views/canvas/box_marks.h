#pragma once

#include "views/canvas/paint_context.h"

namespace lapidary {

// The sign of an op's family besides its colour: an arrow into or out of the box, a diamond at the
// corner, a question mark.
void paintFamilyMark(const PaintContext& context, const SceneBox& box, const QRectF& shape,
                     const FamilyColours& colours);

// Arrows into and out of a closed group that holds inputs or outputs of the graph, aside from where
// its edges end.
void paintEndMarks(const PaintContext& context, const SceneBox& box, const QRectF& shape);

// Signs that the user or a check put on a box: input, output, problem, warning.
void paintItemMarks(const PaintContext& context, const QRectF& shape, const ItemMarks& marks);

} // namespace lapidary
