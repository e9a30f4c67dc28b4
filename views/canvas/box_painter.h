#pragma once

#include "views/canvas/paint_context.h"

namespace lapidary {

// The colours of a box's face under the current colouring.
FamilyColours faceColours(const Theme& theme, const PictureState& state, const SceneBox& box);

// Graph inputs and outputs have a shape of their own.
bool looksLikeInput(const SceneBox& box);
bool looksLikeOutput(const SceneBox& box);

// A rectangle with hardly rounded corners: what may be written as pixels at middle zooms.
bool isPlainShape(const SceneBox& box);

// One box with everything on its face that the zoom leaves readable. Open groups get their frame
// only; their header is drawn after the edges.
void paintBox(const PaintContext& context, std::uint32_t index);
// The cards behind a group that stands for several; before the edges, which end on the first.
void paintCards(const PaintContext& context, std::uint32_t index);
// `entries`: where lines cross the header.
void paintOpenHeader(const PaintContext& context, std::uint32_t index,
                     std::span<const float> entries);
// The header of an open group on a strip of its own, for groups whose top is out of sight.
void paintStickyHeader(const PaintContext& context, std::uint32_t index, const QRectF& strip);

// The outline of a box's shape, `grown` screen units outside of it: for rings.
QPainterPath boxOutline(const PaintContext& context, std::uint32_t index, double grown);

} // namespace lapidary
