#include "views/canvas/far_titles.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

constexpr double titleScale = 0.85; // 11 px
constexpr double titleHeight = 16;
constexpr double smallestRoom = 44;
constexpr std::size_t mostTitles = 150;
constexpr std::size_t mostLookedAt = 4'000;

bool isGroup(const SceneBox& box)
{
    return box.kind == BoxKind::Group || box.kind == BoxKind::OpenGroup;
}

} // namespace

void paintFarTitles(const PaintContext& c, std::span<const std::uint32_t> boxes, double opacity)
{
    std::vector<QRectF> placed;
    std::size_t lookedAt = 0;
    for (const std::uint32_t i : boxes) {
        const SceneBox& box = c.scene.boxes[i];
        const Rect& r = c.rects[i];
        if (r.w * c.scale < smallestRoom || r.h * c.scale < titleHeight || !isGroup(box))
            continue;
        if (++lookedAt > mostLookedAt || placed.size() >= mostTitles)
            return;
        const QRectF shape = c.toScreen(r);
        const double room = shape.width() - 8;
        const double whole = c.texts.width(box.title, TextRole::Heading) * titleScale;
        if (whole > 1.5 * room)
            continue; // three letters and dots tell nothing
        const double width = std::min(room, whole);
        const QPointF middle = box.kind == BoxKind::Group
                                   ? shape.center()
                                   : QPointF(shape.left() + 6 + width / 2, shape.top() + 10);
        const QRectF place(middle.x() - width / 2 - 3, middle.y() - titleHeight / 2, width + 6,
                           titleHeight);
        if (std::ranges::any_of(placed, [&](const QRectF& o) { return o.intersects(place); }))
            continue;
        placed.push_back(place);
        QColor ground = c.theme[Role::Canvas];
        ground.setAlphaF(float(0.8 * opacity));
        c.painter.setPen(Qt::NoPen);
        c.painter.setBrush(ground);
        c.painter.drawRoundedRect(place, 4, 4);
        QColor ink = c.theme[Role::Text];
        ink.setAlphaF(float(opacity));
        c.painter.setPen(ink);
        c.texts.draw(c.painter,
                     {box.title, TextRole::Heading, TextCache::Align::Centre, middle, room},
                     titleScale);
    }
}

} // namespace lapidary
