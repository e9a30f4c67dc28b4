// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"

namespace lapidary {

// Draws the sign that an op's family has besides its color: an arrow into or out of the box, a
// diamond at the corner, or a question mark.
void paintFamilyMark(const PaintContext& context, const SceneBox& box, const QRectF& shape,
                     const FamilyColors& colors);

// Draws arrows into and out of a closed group that holds inputs or outputs of the graph, clear of
// the points where its edges end.
void paintEndMarks(const PaintContext& context, const SceneBox& box, const QRectF& shape);

// Draws the signs of marks that the user or a check made: input, output, problem, warning.
void paintItemMarks(const PaintContext& context, const QRectF& shape, const ItemMarks& marks);

} // namespace lapidary
