// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"

namespace lapidary {

// Returns the colors of a box's face under the current coloring.
FamilyColors faceColors(const Theme& theme, const PictureState& state, const SceneBox& box);

// Returns the fill of a closed group: a surface for its text; as that fades, the color of its
// family, since the bar alone says little then. Parts beside the network stay pale.
QColor closedGroupFill(const Theme& theme, const SceneBox& box, const FamilyColors& colors,
                       double textOpacity);

// Tells whether the box is an input or output of the graph; these have a shape of their own.
bool looksLikeInput(const SceneBox& box);
bool looksLikePort(const SceneBox& box); // a pill on the frame of a loop
bool looksLikeOutput(const SceneBox& box);

// Tells whether the box is a rectangle with hardly rounded corners, which may be written as pixels
// at middle zooms.
bool isPlainShape(const SceneBox& box);

// Draws one box with everything on its face that can be read at this zoom. An open group gets its
// frame only; its header is drawn after the edges.
void paintBox(const PaintContext& context, std::uint32_t index);
// Draws the cards in the background of a group that represents several. They are drawn before the
// edges, which end on the first card.
void paintCards(const PaintContext& context, std::uint32_t index);
// Draws the header of an open group; `entries` are the points where lines cross it.
void paintOpenHeader(const PaintContext& context, std::uint32_t index,
                     std::span<const float> entries);
// Draws the header of an open group on a strip of its own, for a group whose top is out of sight.
void paintStickyHeader(const PaintContext& context, std::uint32_t index, const QRectF& strip);

// Returns the outline of a box's shape, `grown` screen units outside of it, for rings.
QPainterPath boxOutline(const PaintContext& context, std::uint32_t index, double grown);

} // namespace lapidary
