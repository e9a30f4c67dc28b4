// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/far_titles.h"

#include "views/canvas/box_painter.h"
#include "views/layout/rect_grid.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

constexpr double titleScale = 0.85; // 11 px
constexpr double titleHeight = 16;
constexpr double smallestRoom = 44;
// height on screen from which an input's or output's name is shown
constexpr double smallestEnd = 5;
constexpr double widestEnd = 150;
constexpr std::size_t mostTitles = 150;
constexpr std::size_t mostLookedAt = 4'000;

bool isGroup(const SceneBox& box)
{
    return box.kind == BoxKind::Group || box.kind == BoxKind::OpenGroup;
}

// Returns the rectangle of a title; nothing if the title would be cut too short to say much.
std::optional<QRectF> titlePlace(const PaintContext& c, std::uint32_t index)
{
    const SceneBox& box = c.scene.boxes[index];
    const Rect& r = c.rects[index];
    const bool isEnd = looksLikeInput(box) || looksLikeOutput(box);
    if (!isEnd && (r.w * c.scale < smallestRoom || r.h * c.scale < titleHeight || !isGroup(box)))
        return {};
    const QRectF shape = c.toScreen(r);
    if (isEnd && shape.height() < smallestEnd)
        return {};
    const double whole = c.texts.width(box.title, TextRole::Heading) * titleScale;
    // Inputs and outputs are small, so their names are written beside them.
    if (isEnd) {
        QRectF place(shape.right() + 4, shape.center().y() - titleHeight / 2,
                     std::min(whole, widestEnd) + 6, titleHeight);
        if (place.right() > c.painter.viewport().width())
            place.moveRight(shape.left() - 4); // the picture ends here
        return place;
    }
    const double room = shape.width() - 8;
    if (whole > 1.5 * room)
        return {}; // three letters and dots say nothing
    const double width = std::min(room, whole);
    const QPointF middle = box.kind == BoxKind::Group
                               ? shape.center()
                               : QPointF(shape.left() + 6 + width / 2, shape.top() + 10);
    return QRectF(middle.x() - width / 2 - 3, middle.y() - titleHeight / 2, width + 6, titleHeight);
}

Rect onGrid(const QRectF& r)
{
    return {float(r.x()), float(r.y()), float(r.width()), float(r.height())};
}

// The rectangles of the boxes on screen; frames count as background. Made when the first title
// asks.
class Occupied {
public:
    Occupied(const PaintContext& c, std::span<const std::uint32_t> boxes)
        : m_context(c)
        , m_boxes(boxes)
    {
    }

    // Tells whether a title beside its box would cover another box.
    bool meets(const QRectF& place)
    {
        if (!m_grid)
            fill();
        return !m_grid->near(onGrid(place), [&](const Rect& box, int) {
            return !QRectF(box.x, box.y, box.w, box.h).intersects(place);
        });
    }

private:
    void fill()
    {
        m_grid.emplace(float(m_context.size.width()), float(m_context.size.height()),
                       m_boxes.size());
        for (const std::uint32_t i : m_boxes)
            if (m_context.scene.boxes[i].kind != BoxKind::OpenGroup)
                m_grid->add(onGrid(m_context.toScreen(m_context.rects[i])), int(i));
    }

    const PaintContext& m_context;
    std::span<const std::uint32_t> m_boxes;
    std::optional<RectGrid> m_grid;
};

struct Title {
    std::uint32_t box = 0;
    QRectF place;

    TextCache::Line line(const PaintContext& c) const
    {
        return {c.scene.boxes[box].title, TextRole::Heading, TextCache::Align::Center,
                place.center(), place.width() - 5};
    }
};

void paintTitle(const PaintContext& c, const Title& title, double opacity)
{
    QColor ground = c.theme[Role::Canvas];
    ground.setAlphaF(float(0.8 * opacity));
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(ground);
    c.painter.drawRoundedRect(title.place, 4, 4);
    QColor ink = c.theme[Role::Text];
    ink.setAlphaF(float(opacity));
    c.painter.setPen(ink);
    c.texts.draw(c.painter, title.line(c), titleScale);
}

// Drops titles that would look the same for different names once they are cut.
void paintTitles(const PaintContext& c, const std::vector<Title>& titles, double opacity)
{
    std::map<QString, int> said;
    std::vector<QString> cuts;
    for (const Title& title : titles) {
        cuts.push_back(c.texts.cut(title.line(c), titleScale));
        ++said[cuts.back()];
    }
    for (std::size_t i = 0; i < titles.size(); ++i)
        if (cuts[i].isEmpty() || said[cuts[i]] == 1)
            paintTitle(c, titles[i], opacity);
}

} // namespace

void paintFarTitles(const PaintContext& c, std::span<const std::uint32_t> boxes, double opacity)
{
    std::vector<Title> placed;
    Occupied occupied(c, boxes);
    std::size_t lookedAt = 0;
    for (const std::uint32_t i : boxes) {
        if (c.rects[i].h * c.scale < smallestEnd)
            continue;
        const auto place = titlePlace(c, i);
        if (!place)
            continue;
        if (++lookedAt > mostLookedAt || placed.size() >= mostTitles)
            break;
        if (std::ranges::any_of(placed,
                                [&](const Title& o) { return o.place.intersects(*place); }) ||
            (!isGroup(c.scene.boxes[i]) && occupied.meets(*place)))
            continue;
        placed.push_back({i, *place});
    }
    paintTitles(c, placed, opacity);
}

} // namespace lapidary
