// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/face_lines.h"

#include "views/theme/canvas_fonts.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr double readable = 0.74; // 8 px for muted text
constexpr double tolerable = 0.62;

double lineHeight(TextRole role)
{
    return textPixels(role) + 3;
}

} // namespace

QColor faded(QColor color, double opacity)
{
    color.setAlphaF(float(color.alphaF() * opacity));
    return color;
}

double heightOf(std::span<const FaceLine> lines)
{
    double height = 0;
    for (const FaceLine& line : lines)
        height += lineHeight(line.role);
    return height;
}

double readableScale(const PaintContext& c, const QRectF& room, std::vector<FaceLine>& lines)
{
    const auto scaleOf = [&](const std::vector<FaceLine>& tried) {
        double widest = 1;
        for (const FaceLine& line : tried)
            widest = std::max(widest, c.texts.width(line.text, line.role));
        const double fitting =
            std::min(room.width() / widest, room.height() / std::max(heightOf(tried), 1.0));
        return std::max(c.scale, std::min(readable, fitting));
    };
    if (c.scale >= tolerable || lines.size() < 2)
        return scaleOf(lines);
    for (std::size_t kept = lines.size(); kept-- > 1;) {
        const std::vector<FaceLine> two{lines[0], lines[kept]};
        if (const double scale = scaleOf(two); scale >= tolerable) {
            lines = two;
            return scale;
        }
    }
    lines.resize(1);
    return scaleOf(lines);
}

void paintLines(const PaintContext& c, const QRectF& room, std::span<const FaceLine> lines,
                TextCache::Align align, double scale)
{
    std::size_t shown = 0;
    double height = 0;
    for (const FaceLine& line : lines) {
        const double next = height + lineHeight(line.role) * scale;
        if (shown > 0 && next > room.height() + 2 * scale)
            break;
        height = next;
        ++shown;
    }
    double y = room.center().y() - height / 2;
    const double x = align == TextCache::Align::Center ? room.center().x() : room.left();
    for (const FaceLine& line : lines.first(shown)) {
        const double step = lineHeight(line.role) * scale;
        const double opacity = textOpacity(line.role, scale);
        if (opacity > 0) {
            c.painter.setPen(faded(line.color, opacity));
            c.texts.draw(c.painter,
                         {line.text, line.role, align, QPointF(x, y + step / 2), room.width()},
                         scale);
        }
        y += step;
    }
}

} // namespace lapidary
