// SPDX-License-Identifier: Apache-2.0
#include "views/layout/rect_grid.h"
#include "views/layout/scene_json.h"
#include "views/layout/segments.h"

#include <cmath>

namespace lapidary {
namespace {

constexpr float tolerance = 0.05F;

Rect shrunk(const Rect& rect)
{
    return {rect.x + tolerance, rect.y + tolerance, rect.w - 2 * tolerance, rect.h - 2 * tolerance};
}

bool isInside(const Rect& inner, const Rect& outer)
{
    return inner.x >= outer.x - tolerance && inner.y >= outer.y - tolerance &&
           inner.right() <= outer.right() + tolerance &&
           inner.bottom() <= outer.bottom() + tolerance;
}

bool isOnBorder(Point p, const Rect& rect)
{
    const bool withinX = p.x >= rect.x - tolerance && p.x <= rect.right() + tolerance;
    const bool withinY = p.y >= rect.y - tolerance && p.y <= rect.bottom() + tolerance;
    const bool atX =
        std::abs(p.x - rect.x) <= tolerance || std::abs(p.x - rect.right()) <= tolerance;
    const bool atY =
        std::abs(p.y - rect.y) <= tolerance || std::abs(p.y - rect.bottom()) <= tolerance;
    return withinX && withinY && (atX || atY);
}

class FaultFinder {
public:
    FaultFinder(const Scene& scene, std::size_t most)
        : m_scene(scene)
        , m_most(most)
        , m_boxes(scene.bounds.w, scene.bounds.h, scene.boxes.size())
    {
        for (std::size_t b = 0; b < scene.boxes.size(); ++b)
            m_boxes.add(scene.boxes[b].rect, int(b));
    }

    std::vector<std::string> run()
    {
        checkBoxes();
        checkEdges();
        checkLabels();
        return std::move(m_faults);
    }

private:
    std::string name(int box) const
    {
        if (box < 0)
            return "the outside";
        return "box " + std::to_string(box) + " \"" + m_scene.boxes[box].title + "\"";
    }
    std::string edgeName(const SceneEdge& e) const
    {
        return "edge " + std::to_string(&e - m_scene.edges.data()) + " from " + name(e.from) +
               " to " + name(e.to);
    }
    bool add(std::string fault)
    {
        if (m_faults.size() < m_most)
            m_faults.push_back(std::move(fault));
        return m_faults.size() < m_most;
    }

    // Tells whether `box` encloses `inner`, directly or not.
    bool encloses(int box, int inner) const
    {
        while (inner >= 0 && inner != box)
            inner = m_scene.boxes[inner].parent;
        return inner == box;
    }

    void checkBoxes()
    {
        for (std::size_t i = 0; i < m_scene.boxes.size(); ++i) {
            const SceneBox& box = m_scene.boxes[i];
            const int own = int(i);
            if (box.parent >= own)
                add(name(own) + " comes before its parent");
            const bool isChip = box.kind == BoxKind::Chip;
            const int frame = isChip ? m_scene.boxes[box.parent].parent : box.parent;
            const Rect around = frame < 0 ? m_scene.bounds : m_scene.boxes[frame].rect;
            if (!isInside(box.rect, around))
                add(name(own) + " leaves " + name(frame));
            m_boxes.near(box.rect, [&](const Rect& other, int id) {
                return id >= own || encloses(id, own) ||
                       !shrunk(other).intersects(shrunk(box.rect)) ||
                       add(name(id) + " overlaps " + name(own));
            });
            if (isChip && shrunk(box.rect).intersects(shrunk(m_scene.boxes[box.parent].rect)))
                add(name(own) + " covers its consumer");
        }
    }

    void checkEdges()
    {
        for (const SceneEdge& edge : m_scene.edges) {
            const auto route = m_scene.route(edge);
            if (route.size() < 2) {
                add(edgeName(edge) + " has no line");
                continue;
            }
            if (edge.from < 0 || !isOnBorder(route.front(), m_scene.boxes[edge.from].rect))
                add(edgeName(edge) + " starts off its box");
            if (edge.to < 0 || !isOnBorder(route.back(), m_scene.boxes[edge.to].rect))
                add(edgeName(edge) + " ends off its box");
            for (std::size_t i = 0; edge.from >= 0 && edge.to >= 0 && i + 1 < route.size(); ++i)
                checkSegment(edge, route[i], route[i + 1]);
        }
    }

    void checkSegment(const SceneEdge& edge, Point a, Point b)
    {
        const int scope = scopeOf(edge);
        m_boxes.near(boundsOf(a, b), [&](const Rect& rect, int id) {
            return !cutsRect(a, b, shrunk(rect)) || encloses(id, scope) ||
                   add(edgeName(edge) + " crosses " + name(id));
        });
    }

    // Returns the open group in which the edge runs: one of its two boxes, or the group that
    // encloses both.
    int scopeOf(const SceneEdge& edge) const
    {
        if (m_scene.boxes[edge.to].parent == edge.from)
            return edge.from;
        return m_scene.boxes[edge.from].parent;
    }

    void checkLabels()
    {
        RectGrid labels(m_scene.bounds.w, m_scene.bounds.h, m_scene.edges.size());
        for (std::size_t e = 0; e < m_scene.edges.size(); ++e) {
            const SceneEdge& edge = m_scene.edges[e];
            if (edge.labelRect.w <= 0)
                continue;
            if (!isInside(edge.labelRect, m_scene.bounds))
                add("the label of " + edgeName(edge) + " leaves the picture");
            m_boxes.near(edge.labelRect, [&](const Rect& rect, int id) {
                const bool within =
                    m_scene.boxes[id].kind == BoxKind::OpenGroup && isInside(edge.labelRect, rect);
                return within || !rect.intersects(edge.labelRect) ||
                       add("the label of " + edgeName(edge) + " covers " + name(id));
            });
            labels.near(edge.labelRect, [&](const Rect& rect, int other) {
                return !rect.intersects(edge.labelRect) ||
                       add("the labels of edges " + std::to_string(other) + " and " +
                           std::to_string(e) + " overlap");
            });
            labels.add(edge.labelRect, int(e));
        }
    }

    const Scene& m_scene;
    std::size_t m_most;
    RectGrid m_boxes;
    std::vector<std::string> m_faults;
};

} // namespace

std::vector<std::string> scenePictureFaults(const Scene& scene, std::size_t most)
{
    return FaultFinder(scene, most).run();
}

} // namespace lapidary
