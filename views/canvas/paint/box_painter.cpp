// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/box_painter.h"

#include "views/canvas/paint/box_marks.h"
#include "views/canvas/paint/face_lines.h"
#include "views/layout/faces.h"
#include "views/theme/canvas_fonts.h"
#include "views/theme/color.h"
#include "views/theme/ramp.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr double opRadius = 4;
constexpr double groupRadius = 8;
constexpr double barWidth = 4;
constexpr double smallestShape = 9; // below this height on screen a box is a plain rectangle

bool isOverlaid(const PictureState& state)
{
    return state.coloring && state.coloring->overlay;
}

// Only the item that does the work has a value, not a folded node or the far box of an edge that is
// not drawn.
const OverlayFace* overlayFace(const PictureState& state, const SceneBox& box)
{
    const bool isWorking = box.kind != BoxKind::Chip && box.kind != BoxKind::Stub;
    return isWorking && state.coloring ? state.coloring->face(box.item) : nullptr;
}

FamilyColors overlayColors(const Theme& theme, const PictureState& state, const SceneBox& box)
{
    if (const OverlayFace* face = overlayFace(state, box)) {
        const OverlayScale& scale = state.coloring->scale;
        const double position = scale.position(face->value);
        return scale.kind == OverlayScale::Kind::TwoSided ? differenceBox(position, theme)
                                                          : overlayBox(position, theme);
    }
    return {theme[Role::Surface], theme[Role::GroupLine], theme[Role::TextMuted],
            theme[Role::TextMuted]};
}

double cornerRadius(const SceneBox& box, const QRectF& shape, double scale)
{
    switch (box.kind) {
    case BoxKind::Group:
    case BoxKind::OpenGroup: return groupRadius * scale;
    case BoxKind::Chip:
    case BoxKind::Stub: return shape.height() / 2;
    case BoxKind::Op: break;
    }
    const bool isPill = looksLikeInput(box) || looksLikeOutput(box) || looksLikePort(box);
    if (isPill)
        return shape.height() / 2;
    return (box.family == OpFamily::Weights ? 10 : opRadius) * scale;
}

bool isFlat(const QRectF& shape)
{
    return shape.height() < smallestShape;
}

void paintShape(const PaintContext& c, const QRectF& shape, double radius, const QColor& fill,
                const QPen& outline)
{
    QPainter& p = c.painter;
    if (isFlat(shape)) {
        p.fillRect(shape, fill);
        p.setPen(QPen(outline.color(), 0));
        p.setBrush(Qt::NoBrush);
        p.drawRect(shape);
        return;
    }
    p.setPen(outline);
    p.setBrush(fill);
    p.drawRoundedRect(shape, radius, radius);
}

// Returns the outline of a strip whose left corners follow the box's.
QPainterPath barPath(const QRectF& bar, double radius)
{
    constexpr double degrees = 57.29577951308232;
    const double r = std::min(radius, bar.height() / 2);
    const double start =
        bar.width() >= r ? 90 : std::acos(std::clamp((bar.width() - r) / r, -1.0, 1.0)) * degrees;
    const QRectF top(bar.left(), bar.top(), 2 * r, 2 * r);
    const QRectF bottom(bar.left(), bar.bottom() - 2 * r, 2 * r, 2 * r);
    QPainterPath path;
    path.arcMoveTo(top, start);
    path.arcTo(top, start, 180 - start);
    path.arcTo(bottom, 180, 180 - start);
    if (bar.width() > r) {
        path.lineTo(bar.bottomRight());
        path.lineTo(bar.topRight());
    }
    path.closeSubpath();
    return path;
}

// Draws the bar in the family's color along the left edge, inside the rounded corners.
void paintBar(const PaintContext& c, const QRectF& shape, double radius, const QColor& color,
              bool isHatched)
{
    const double width = barWidth * c.scale;
    if (width < 1)
        return;
    const QRectF bar(shape.left(), shape.top(), width, shape.height());
    if (!isHatched) {
        c.painter.fillPath(barPath(bar, radius), color);
        return;
    }
    const double step = 3.0 * c.scale;
    for (double y = bar.top() + step; y + step < bar.bottom(); y += 2 * step)
        c.painter.fillRect(QRectF(bar.left(), y, width + c.scale, step), color);
}

// Returns the longest beginning of a summary, up to one of its " · ", that fits.
std::string fittingSummary(const PaintContext& c, std::string summary, double room)
{
    constexpr std::string_view separator = " \u00B7 ";
    while (c.texts.width(summary, TextRole::Muted) > room) {
        const auto cut = summary.rfind(separator);
        if (cut == std::string::npos)
            return {};
        summary.resize(cut);
    }
    return summary;
}

// Returns the lines of a face that are not empty.
std::vector<FaceLine> faceLines(const PaintContext& c, const SceneBox& box, TextRole titleRole,
                                const FamilyColors& colors, double room)
{
    std::vector<FaceLine> lines{{box.title, titleRole, colors.text}};
    if (const OverlayFace* face = overlayFace(c.state, box)) {
        lines.push_back(
            {fittingSummary(c, face->text, room / c.scale), TextRole::Muted, colors.textMuted});
        return lines;
    }
    for (const std::string* text : {&box.subtitle, &box.detail})
        if (!text->empty())
            lines.push_back({*text, TextRole::Muted, colors.textMuted});
    return lines;
}

void paintOp(const PaintContext& c, const SceneBox& box, const QRectF& shape)
{
    const FamilyColors colors = faceColors(c.theme, c.state, box);
    const double radius = cornerRadius(box, shape, c.scale);
    const bool isEnd = looksLikeInput(box) || looksLikeOutput(box);
    const bool isPill = isEnd || looksLikePort(box);
    const bool isBold = box.family == OpFamily::HeavyMaths || isEnd;
    const double width = c.lineWidth(isBold ? 2 : 1);
    const bool isDone = c.areShapesDone && isPlainShape(box);
    if (!isDone)
        paintShape(c, shape, radius, colors.fill, QPen(colors.outline, width));
    if (isFlat(shape))
        return;
    if (!isDone && !isPill && !isOverlaid(c.state) && box.family != OpFamily::Weights)
        paintBar(c, shape, radius, colors.outline, box.family == OpFamily::Quantized);
    paintFamilyMark(c, box, shape, colors);
    if (textOpacity(TextRole::Name, c.scale) <= 0)
        return;
    const double side = (isPill ? 12 : 8) * c.scale;
    const QRectF room = shape.adjusted(side, c.scale, -side + 2 * c.scale, -c.scale);
    auto lines = faceLines(c, box, TextRole::Name, colors, room.width());
    const double scale = readableScale(c, room, lines);
    paintLines(c, room, lines, TextCache::Align::Center, scale);
}

void paintChevron(const PaintContext& c, QPointF center, bool isOpen, const QColor& color)
{
    const double r = 3.5 * c.scale;
    QPolygonF line;
    if (isOpen)
        line << center + QPointF(-r, -r / 2) << center + QPointF(0, r / 2)
             << center + QPointF(r, -r / 2);
    else
        line << center + QPointF(-r / 2, -r) << center + QPointF(r / 2, 0)
             << center + QPointF(-r / 2, r);
    c.painter.setPen(
        QPen(color, std::max(1.0, 1.5 * c.scale), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    c.painter.setBrush(Qt::NoBrush);
    c.painter.drawPolyline(line);
}

// Draws "×16" at the right of the title line and returns the width that it takes.
double paintRepeats(const PaintContext& c, const SceneBox& box, const QRectF& shape,
                    const QColor& color)
{
    const double opacity = textOpacity(TextRole::Heading, c.scale);
    if (box.repeats < 2 || opacity <= 0)
        return 0;
    const std::string text = "\u00D7" + std::to_string(box.repeats);
    c.painter.setPen(faded(color, opacity));
    const double y = shape.top() + std::min(shape.height() / 2, 16 * c.scale);
    return c.texts.draw(c.painter,
                        {text, TextRole::Heading, TextCache::Align::Right,
                         QPointF(shape.right() - 10 * c.scale, y), shape.width() / 2},
                        c.scale) +
           8 * c.scale;
}

void paintClosedGroup(const PaintContext& c, const SceneBox& box, const QRectF& shape)
{
    const double radius = cornerRadius(box, shape, c.scale);
    FamilyColors colors = faceColors(c.theme, c.state, box);
    const bool hasValue = overlayFace(c.state, box) != nullptr;
    const bool isClassed = c.state.coloring && c.state.coloring->classOf.contains(box.item);
    const double opacity = textOpacity(TextRole::Heading, c.scale);
    const QColor fill =
        isClassed || hasValue ? colors.fill : closedGroupFill(c.theme, box, colors, opacity);
    const QColor border = hasValue ? colors.outline : c.theme[Role::GroupLine];
    if (!c.areShapesDone || box.isAside)
        paintShape(c, shape, radius, fill,
                   QPen(border, c.lineWidth(1), box.isAside ? Qt::DashLine : Qt::SolidLine));
    if (isFlat(shape)) {
        if (isOverlaid(c.state))
            return;
        c.painter.fillRect(QRectF(shape.topLeft(), QSizeF(shape.width() / 4, shape.height())),
                           colors.outline);
        return;
    }
    if (!c.areShapesDone && !isOverlaid(c.state) && !box.isAside)
        paintBar(c, shape, radius, colors.outline, box.family == OpFamily::Quantized);
    paintEndMarks(c, box, shape);
    if (opacity <= 0)
        return;
    if (!hasValue)
        colors.text = c.theme[box.isAside ? Role::TextMuted : Role::Text];
    const QColor quiet = hasValue ? colors.textMuted : c.theme[Role::TextMuted];
    const double left = 26 * c.scale;
    const double right = 10 * c.scale + paintRepeats(c, box, shape, quiet);
    const QRectF room = shape.adjusted(left, 2 * c.scale, -right, -2 * c.scale);
    auto lines = faceLines(c, box, TextRole::Heading, colors, room.width());
    const double scale = readableScale(c, room, lines);
    const double height = heightOf(lines) * scale;
    const double top = shape.center().y() - std::min(height, room.height()) / 2;
    paintChevron(c, QPointF(shape.left() + 15 * c.scale, top + 8 * scale), false,
                 faded(quiet, opacity));
    paintLines(c, room, lines, TextCache::Align::Left, scale);
}

// Draws a chip that is too small to be read as a dot: an empty label would look like a chip without
// text.
void paintDot(const PaintContext& c, const QRectF& shape, const QColor& color)
{
    const double size = shape.height() / 2;
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(color);
    c.painter.drawEllipse(QRectF(shape.left(), shape.center().y() - size / 2, size, size));
}

void paintChip(const PaintContext& c, const SceneBox& box, const QRectF& shape)
{
    const FamilyColors colors = faceColors(c.theme, c.state, box);
    const double opacity = textOpacity(TextRole::Chip, c.scale);
    if (opacity <= 0)
        return paintDot(c, shape, colors.outline);
    paintShape(c, shape, shape.height() / 2, colors.fill, QPen(colors.outline, c.lineWidth(1)));
    c.painter.setPen(faded(colors.text, opacity));
    c.texts.draw(c.painter,
                 {box.title, TextRole::Chip, TextCache::Align::Center, shape.center(),
                  shape.width() - 8 * c.scale},
                 c.scale);
}

void paintStub(const PaintContext& c, const SceneBox& box, const QRectF& shape)
{
    const double opacity = textOpacity(TextRole::Chip, c.scale);
    if (opacity <= 0)
        return; // the end of its line is sufficient
    const QPen pen(c.theme[Role::GroupLine], c.lineWidth(1), Qt::DotLine);
    paintShape(c, shape, shape.height() / 2, c.theme[Role::Surface], pen);
    c.painter.setPen(faded(c.theme[Role::Accent], opacity));
    c.texts.draw(c.painter,
                 {box.title, TextRole::Chip, TextCache::Align::Center, shape.center(),
                  shape.width() - 8 * c.scale},
                 c.scale);
}

void paintFrame(const PaintContext& c, const SceneBox& box, const QRectF& shape)
{
    const double radius = cornerRadius(box, shape, c.scale);
    const QColor line = mixed(c.theme[Role::GroupLine], c.theme[Role::Line], 0.45);
    paintShape(c, shape, radius, c.theme.groupFill(box.depth), QPen(line, c.lineWidth(1)));
}

// Draws chevron, name and summary on one line. `scale` is at least the one at which a strip is
// readable. No text crosses `end`, where a line enters the group.
void paintHeaderLine(const PaintContext& c, const SceneBox& box, const QRectF& strip, double scale,
                     double end)
{
    const double opacity = textOpacity(TextRole::Heading, scale);
    if (opacity <= 0)
        return;
    PaintContext at = c;
    at.scale = scale;
    const double y = strip.center().y();
    paintChevron(at, QPointF(strip.left() + 15 * scale, y), true,
                 faded(c.theme[Role::TextMuted], opacity));
    const double left = strip.left() + 26 * scale;
    const double room = std::min(strip.right() - 10 * scale, end - 4 * scale) - left;
    c.painter.setPen(faded(c.theme[Role::Text], opacity));
    const double used = c.texts.draw(
        c.painter, {box.title, TextRole::Heading, TextCache::Align::Left, QPointF(left, y), room},
        scale);
    const double from = left + used + 12 * scale;
    const double rest = std::min(strip.right() - 10 * scale, end - 4 * scale) - from;
    if (textOpacity(TextRole::Muted, scale) <= 0)
        return;
    const OverlayFace* face = overlayFace(c.state, box);
    const std::string summary =
        fittingSummary(c, face != nullptr ? face->text : box.subtitle, rest / scale);
    c.painter.setPen(faded(c.theme[Role::TextMuted], textOpacity(TextRole::Muted, scale)));
    c.texts.draw(c.painter,
                 {summary, TextRole::Muted, TextCache::Align::Left, QPointF(from, y), rest + 1},
                 scale);
}

} // namespace

QRectF PaintContext::crisp(const Rect& r) const
{
    const auto snapped = [this](double v) {
        return (std::floor(v * pixelRatio) + 0.5) / pixelRatio;
    };
    const QRectF exact = toScreen(r);
    return {QPointF(snapped(exact.left()), snapped(exact.top())),
            QPointF(snapped(exact.right()), snapped(exact.bottom()))};
}

FamilyColors faceColors(const Theme& theme, const PictureState& state, const SceneBox& box)
{
    if (isOverlaid(state))
        return overlayColors(theme, state, box);
    if (state.coloring) {
        const auto known = state.coloring->classOf.find(box.item);
        return known == state.coloring->classOf.end() ? theme.family(OpFamily::DataMovement)
                                                      : theme.classColors(known->second);
    }
    if (box.kind == BoxKind::Op && box.isInput)
        return theme.family(OpFamily::Input);
    if (box.kind == BoxKind::Op && box.isOutput)
        return theme.family(OpFamily::Output);
    return theme.family(box.family);
}

QColor closedGroupFill(const Theme& theme, const SceneBox& box, const FamilyColors& colors,
                       double textOpacity)
{
    return box.isAside ? theme.groupFill(0) : mixed(colors.fill, theme[Role::Surface], textOpacity);
}

bool looksLikeInput(const SceneBox& box)
{
    return box.kind == BoxKind::Op &&
           (box.isInput || (box.family == OpFamily::Input && !box.isFed));
}

bool looksLikeOutput(const SceneBox& box)
{
    return box.kind == BoxKind::Op && (box.isOutput || box.family == OpFamily::Output);
}

bool looksLikePort(const SceneBox& box)
{
    return box.isPort && !looksLikeInput(box) && !looksLikeOutput(box);
}

bool isPlainShape(const SceneBox& box)
{
    return (box.kind == BoxKind::Group && !box.isAside) ||
           (box.kind == BoxKind::Op && !looksLikeInput(box) && !looksLikeOutput(box) &&
            !looksLikePort(box) && box.family != OpFamily::Weights);
}

void paintBox(const PaintContext& c, std::uint32_t index)
{
    const SceneBox& box = c.scene.boxes[index];
    const QRectF shape = c.crisp(c.rects[index]);
    switch (box.kind) {
    case BoxKind::Op: paintOp(c, box, shape); break;
    case BoxKind::Group: paintClosedGroup(c, box, shape); break;
    case BoxKind::OpenGroup: paintFrame(c, box, shape); break;
    case BoxKind::Chip: paintChip(c, box, shape); break;
    case BoxKind::Stub: paintStub(c, box, shape); break;
    }
}

void paintCards(const PaintContext& c, std::uint32_t index)
{
    const SceneBox& box = c.scene.boxes[index];
    if (box.kind != BoxKind::Group || box.repeats < 2)
        return;
    const QRectF shape = c.crisp(c.rects[index]);
    if (isFlat(shape))
        return;
    const double radius = cornerRadius(box, shape, c.scale);
    const QPen pen(mixed(c.theme[Role::GroupLine], c.theme[Role::Canvas], 0.35), c.lineWidth(1));
    const int cards = box.repeats > 2 ? 2 : 1;
    for (int i = cards; i > 0; --i) {
        const double shift = 4.0 * i * c.scale;
        paintShape(c, shape.translated(shift, -shift), radius, c.theme[Role::Surface], pen);
    }
}

void paintOpenHeader(const PaintContext& c, std::uint32_t index, std::span<const float> entries)
{
    const QRectF shape = c.crisp(c.rects[index]);
    const QRectF strip(shape.topLeft(), QSizeF(shape.width(), groupHeader * c.scale));
    const SceneBox& box = c.scene.boxes[index];
    // A line that enters near the end of the name cuts the name short; elsewhere it crosses the
    // name.
    constexpr double leastOfName = 0.6;
    const double name = c.texts.width(box.title, TextRole::Heading);
    double end = shape.right();
    for (const float x : entries)
        if (x > c.rects[index].x + 26 + leastOfName * name)
            end = std::min(end, c.toScreen(Point{x, 0}).x());
    paintHeaderLine(c, box, strip, c.scale, end);
}

void paintStickyHeader(const PaintContext& c, std::uint32_t index, const QRectF& strip)
{
    const SceneBox& box = c.scene.boxes[index];
    c.painter.fillRect(strip, c.theme.groupFill(box.depth));
    c.painter.setPen(QPen(c.theme[Role::Line], 1.0 / c.pixelRatio));
    c.painter.drawLine(strip.bottomLeft(), strip.bottomRight());
    paintHeaderLine(c, box, strip, 1.0, strip.right());
}

QPainterPath boxOutline(const PaintContext& c, std::uint32_t index, double grown)
{
    const QRectF shape = c.crisp(c.rects[index]);
    const double radius = cornerRadius(c.scene.boxes[index], shape, c.scale);
    QPainterPath path;
    path.addRoundedRect(shape.adjusted(-grown, -grown, grown, grown), radius + grown,
                        radius + grown);
    return path;
}

} // namespace lapidary
