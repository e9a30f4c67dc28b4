// SPDX-License-Identifier: Apache-2.0
#include "views/layout/edge_labels.h"

#include "views/layout/rect_grid.h"
#include "views/layout/segments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

namespace lapidary {
namespace {

constexpr float labelHeight = 14;
constexpr float beside = 5; // distance between a line and its label
constexpr float clear = 2;  // distance to everything else

class Labels {
public:
    Labels(const EdgeFaces& faces, bool hasHeader, Direction direction, ScopeLayout& layout)
        : m_faces(faces)
        , m_isRight(direction == Direction::Right)
        , m_layout(layout)
        , m_solid(layout.width, layout.height, layout.items.size() * 2)
        , m_lines(layout.width, layout.height, layout.points.size())
    {
        if (hasHeader)
            m_solid.add({0, 0, layout.width, groupHeader}, 0);
        for (const ScopeLayout::Item& item : layout.items) {
            m_solid.add(item.box, 0);
            for (const Rect& pill : item.pills)
                m_solid.add(pill, 0);
        }
        for (const ScopeLayout::Edge& edge : layout.edges)
            forSegments(edge, [&](Point a, Point b, std::uint32_t at) {
                m_lines.add(boundsOf(a, b), int(at));
                return true;
            });
    }

    template <class HasLabel>
    void run(const HasLabel& hasLabel)
    {
        for (ScopeLayout::Edge& edge : m_layout.edges)
            if (hasLabel(edge))
                placeOnce(edge);
    }

private:
    template <class Visit>
    void forSegments(const ScopeLayout::Edge& edge, const Visit& visit) const
    {
        for (std::uint32_t i = 0; i + 1 < edge.pointCount; ++i) {
            const std::uint32_t at = edge.firstPoint + i;
            if (!visit(m_layout.points[at], m_layout.points[at + 1], at))
                return;
        }
    }

    // Edges that have the same label and begin as one line need only one label.
    void placeOnce(ScopeLayout::Edge& edge)
    {
        const Point& a = m_layout.points[edge.firstPoint];
        const Point& b = m_layout.points[edge.firstPoint + 1];
        const std::tuple trunk(a.x, a.y, m_isRight ? b.y : b.x,
                               std::string_view(m_faces.labels[edge.prepared]));
        if (m_trunks.contains(trunk))
            return;
        place(edge, m_faces.labelWidths[edge.prepared]);
        if (edge.label.w > 0)
            m_trunks.insert(trunk);
    }

    void place(ScopeLayout::Edge& edge, float width)
    {
        constexpr int most = 24; // segments of an edge that are tried
        int tried = 0;
        forSegments(edge, [&](Point a, Point b, std::uint32_t) {
            for (const Rect& rect : candidates(a, b, width))
                if (edge.label.w == 0 && isFree(rect))
                    edge.label = rect;
            return edge.label.w == 0 && ++tried < most;
        });
        if (edge.label.w > 0)
            m_solid.add(edge.label, 0);
    }

    // Returns the candidates: right and left of the middle of a steep segment, above and below that
    // of a flat one.
    static std::array<Rect, 4> candidates(Point a, Point b, float width)
    {
        const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
        const float top = middle.y - labelHeight / 2;
        std::array<Rect, 4> rects{};
        if (std::abs(b.y - a.y) >= std::abs(b.x - a.x)) {
            rects[0] = {middle.x + beside, top, width, labelHeight};
            rects[1] = {middle.x - beside - width, top, width, labelHeight};
            rects[2] = {b.x + beside, b.y - labelHeight - clear, width, labelHeight};
            rects[3] = {a.x + beside, a.y + clear, width, labelHeight};
        } else {
            const float left = middle.x - width / 2;
            rects[0] = {left, middle.y - labelHeight - clear, width, labelHeight};
            rects[1] = {left, middle.y + clear, width, labelHeight};
            rects[2] = {b.x + beside, b.y - labelHeight - clear, width, labelHeight};
            rects[3] = {b.x - beside - width, b.y - labelHeight - clear, width, labelHeight};
        }
        return rects;
    }

    bool isFree(const Rect& rect)
    {
        const Rect wide{rect.x - clear, rect.y - clear, rect.w + 2 * clear, rect.h + 2 * clear};
        if (wide.x < 0 || wide.y < 0 || wide.right() > m_layout.width ||
            wide.bottom() > m_layout.height)
            return false;
        const bool solid =
            !m_solid.near(wide, [&](const Rect& other, int) { return !other.intersects(wide); });
        return !solid && m_lines.near(rect, [&](const Rect&, int at) {
            return !meets(m_layout.points[at], m_layout.points[at + 1], rect);
        });
    }

    // A segment is drawn as a line or, if it is slanted, as an S that leaves and arrives with the
    // flow: neither may run through the label.
    bool meets(Point a, Point b, const Rect& rect) const
    {
        if (cutsRect(a, b, rect))
            return true;
        if (a.x == b.x || a.y == b.y)
            return false;
        constexpr float early = 0.3F;   // part of the way along the flow
        constexpr float little = 0.15F; // part of the way across at that point
        const Point by{(b.x - a.x) * (m_isRight ? early : little),
                       (b.y - a.y) * (m_isRight ? little : early)};
        const Point first{a.x + by.x, a.y + by.y};
        const Point last{b.x - by.x, b.y - by.y};
        return cutsRect(a, first, rect) || cutsRect(first, last, rect) || cutsRect(last, b, rect);
    }

    const EdgeFaces& m_faces;
    bool m_isRight;
    std::set<std::tuple<float, float, float, std::string_view>> m_trunks;
    ScopeLayout& m_layout;
    RectGrid m_solid;
    RectGrid m_lines;
};

} // namespace

void placeEdgeLabels(const EdgeFaces& faces, bool hasHeader, Direction direction,
                     ScopeLayout& layout)
{
    const auto hasLabel = [&](const ScopeLayout::Edge& edge) {
        return faces.labelWidths[edge.prepared] > 0;
    };
    if (std::ranges::any_of(layout.edges, hasLabel))
        Labels(faces, hasHeader, direction, layout).run(hasLabel);
}

} // namespace lapidary
