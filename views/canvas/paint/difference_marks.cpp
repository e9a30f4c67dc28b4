// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/difference_marks.h"

#include "views/canvas/paint/box_painter.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <string>

namespace lapidary {
namespace {

constexpr double smallestSign = 0.3; // below this zoom, signs would be too small to see
// below this height on screen a box is filled instead of ringed
constexpr double flatHeight = 9;

constexpr std::array<DifferenceSign, 4> signs{{
    {"+", Role::Added, "added"},
    {"\u2212", Role::Removed, "removed"},
    {"~", Role::Changed, "changed"},
    {"\u2192", Role::Moved, "renamed"},
}};

std::array<std::uint32_t, 4> countsOf(const DifferenceCounts& counts)
{
    return {counts.added, counts.removed, counts.changed, counts.renamed};
}

// Returns the kind that a box shows by its outline: its only one, or else "changed".
std::size_t outlineKind(const std::array<std::uint32_t, 4>& counts)
{
    const auto kinds = std::ranges::count_if(counts, [](std::uint32_t n) { return n > 0; });
    if (kinds != 1)
        return 2;
    return std::size_t(std::ranges::find_if(counts, [](std::uint32_t n) { return n > 0; }) -
                       counts.begin());
}

// At this size, the character "~" looks like a minus sign, so the sign is drawn.
constexpr double waveWidth = 7;
constexpr double overOp = 0.85; // of a sign's height

void paintWave(const PaintContext& c, QPointF center, double scale)
{
    const auto at = [&](double x, double y) { return center + QPointF(x, y) * scale; };
    QPainterPath wave(at(-waveWidth / 2, 1));
    wave.cubicTo(at(-1.5, -4.5), at(1.5, 4.5), at(waveWidth / 2, -1));
    c.painter.setPen(QPen(c.theme[Role::MarkText], 1.4 * scale, Qt::SolidLine, Qt::RoundCap));
    c.painter.setBrush(Qt::NoBrush);
    c.painter.drawPath(wave);
}

// Draws signs along the upper edge, from right to left: on the edge of a group, whose name is at
// the left, and above that of an op, so that its name is not covered.
void paintSigns(const PaintContext& c, const QRectF& shape, bool isOp,
                const std::array<std::uint32_t, 4>& counts)
{
    const double scale = std::max(c.scale, 0.6);
    const double height = 15 * scale;
    const bool isMany = std::ranges::any_of(counts, [](std::uint32_t n) { return n > 1; }) ||
                        std::ranges::count_if(counts, [](std::uint32_t n) { return n > 0; }) > 1;
    double right = shape.right() + 6 * scale;
    for (std::size_t kind = signs.size(); kind-- > 0;) {
        if (counts[kind] == 0)
            continue;
        const bool isWave = signs[kind].role == Role::Changed;
        const std::string sign = isWave ? "" : signs[kind].sign;
        const std::string text = isMany ? sign + std::to_string(counts[kind]) : sign;
        const double beside = isWave ? (waveWidth + 1) * scale : 0;
        const double inner = c.texts.width(text, TextRole::Muted) * scale + beside;
        const double width = std::max(height, inner + 9 * scale);
        const QRectF pill(right - width, shape.top() - height * (isOp ? overOp : 0.5), width,
                          height);
        c.painter.setPen(QPen(c.theme[Role::Canvas], scale));
        c.painter.setBrush(c.theme[signs[kind].role]);
        c.painter.drawRoundedRect(pill, height / 2, height / 2);
        if (isWave)
            paintWave(c, {pill.center().x() - (inner - beside) / 2, pill.center().y()}, scale);
        c.painter.setPen(c.theme[Role::MarkText]);
        c.texts.draw(c.painter,
                     {text, TextRole::Muted, TextCache::Align::Center,
                      pill.center() + QPointF(beside / 2, 0), 4 * width},
                     scale);
        right = pill.left() - 2 * scale;
    }
}

} // namespace

std::span<const DifferenceSign, 4> differenceSigns()
{
    return signs;
}

void paintDifferences(const PaintContext& c, const DifferenceMarks& marks)
{
    const QRectF window(c.painter.window());
    const double margin = 24 * std::max(c.scale, 0.6);
    const QRectF seen = window.adjusted(-margin, -margin, margin, margin);
    for (const auto& [item, counts] : marks) {
        const auto at = c.scene.boxOf.find(item);
        if (at == c.scene.boxOf.end())
            continue;
        const QRectF shape = c.crisp(c.rects[at->second]);
        if (!seen.intersects(shape))
            continue;
        const auto numbers = countsOf(counts);
        const std::size_t kind = outlineKind(numbers);
        const QColor& color = c.theme[signs[kind].role];
        if (shape.height() < flatHeight) {
            c.painter.fillRect(shape, color);
            continue;
        }
        // Removed items have a dashed outline, besides their sign.
        const Qt::PenStyle style = signs[kind].role == Role::Removed ? Qt::DashLine : Qt::SolidLine;
        c.painter.setPen(QPen(color, std::max(1.5, 2 * c.scale), style));
        c.painter.setBrush(Qt::NoBrush);
        c.painter.drawPath(boxOutline(c, at->second, 0.5));
        if (c.scale >= smallestSign)
            paintSigns(c, shape, c.scene.boxes[at->second].kind == BoxKind::Op, numbers);
    }
}

} // namespace lapidary
