// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/box_marks.h"

#include "views/canvas/paint/box_painter.h"

#include <QPainterPath>

#include <algorithm>

namespace lapidary {
namespace {

constexpr double smallestMark = 0.35; // below this zoom, marks would be too small to see

// Draws a short arrow that points down and ends at `tip`.
void paintArrow(const PaintContext& c, QPointF tip, const QColor& color)
{
    const double length = 11 * c.scale;
    const double half = 4 * c.scale;
    QPainterPath head(tip);
    head.lineTo(tip + QPointF(-half, -1.6 * half));
    head.lineTo(tip + QPointF(half, -1.6 * half));
    head.closeSubpath();
    c.painter.setPen(QPen(color, std::max(1.0, 2 * c.scale)));
    c.painter.drawLine(tip - QPointF(0, length), tip - QPointF(0, half));
    c.painter.fillPath(head, color);
}

void paintDiamond(const PaintContext& c, const QRectF& shape, const FamilyColors& colors)
{
    const double r = 5.5 * c.scale;
    const QPointF center = shape.topRight() + QPointF(-2 * c.scale, 2 * c.scale);
    const QPolygonF diamond{center + QPointF(0, -r), center + QPointF(r, 0), center + QPointF(0, r),
                            center + QPointF(-r, 0)};
    c.painter.setPen(QPen(c.theme[Role::Canvas], c.scale));
    c.painter.setBrush(colors.outline);
    c.painter.drawPolygon(diamond);
}

// Draws a disc with one sign in it; `center` is on the box's border.
void paintBadge(const PaintContext& c, QPointF center, const QColor& fill, const QColor& ink,
                const std::string& sign)
{
    const double scale = std::max(c.scale, 0.6);
    const double r = 7 * scale;
    c.painter.setPen(QPen(c.theme[Role::Canvas], scale));
    c.painter.setBrush(fill);
    c.painter.drawEllipse(center, r, r);
    c.painter.setPen(ink);
    c.texts.draw(c.painter, {sign, TextRole::Muted, TextCache::Align::Center, center, 3 * r},
                 scale);
}

} // namespace

void paintFamilyMark(const PaintContext& c, const SceneBox& box, const QRectF& shape,
                     const FamilyColors& colors)
{
    if (c.scale < smallestMark)
        return;
    if (looksLikeInput(box))
        paintArrow(c, QPointF(shape.center().x(), shape.top() - c.scale), colors.outline);
    else if (looksLikeOutput(box))
        paintArrow(c, QPointF(shape.center().x(), shape.bottom() + 13 * c.scale), colors.outline);
    else if (box.family == OpFamily::Control && !box.isPort)
        paintDiamond(c, shape, colors);
    else if (box.family == OpFamily::Unknown)
        paintBadge(c, shape.topRight() + QPointF(-2 * c.scale, 2 * c.scale), c.theme[Role::Problem],
                   c.theme[Role::MarkText], "?");
}

void paintEndMarks(const PaintContext& c, const SceneBox& box, const QRectF& shape)
{
    if (c.scale < smallestMark)
        return;
    const double x = shape.left() + 20 * c.scale;
    if (box.isInput)
        paintArrow(c, QPointF(x, shape.top() - c.scale), c.theme.family(OpFamily::Input).outline);
    if (box.isOutput)
        paintArrow(c, QPointF(x, shape.bottom() + 13 * c.scale),
                   c.theme.family(OpFamily::Output).outline);
}

void paintItemMarks(const PaintContext& c, const QRectF& shape, const ItemMarks& marks)
{
    struct Sign {
        bool isSet = false;
        QColor fill;
        const char* text = "";
    };
    const Sign signs[] = {
        {marks.input, c.theme.family(OpFamily::Input).outline, "I"},
        {marks.output, c.theme.family(OpFamily::Output).outline, "O"},
        {marks.problem, c.theme[Role::Problem], "!"},
        {marks.warning, c.theme[Role::Warning], "!"},
        {marks.match, c.theme[Role::Changed], "~"},
        {marks.nearMiss, c.theme[Role::Warning], "\u2260"},
    };
    QPointF center = shape.topLeft();
    for (const Sign& sign : signs) {
        if (!sign.isSet)
            continue;
        paintBadge(c, center, sign.fill, c.theme[Role::MarkText], sign.text);
        center += QPointF(15 * std::max(c.scale, 0.6), 0);
    }
}

} // namespace lapidary
