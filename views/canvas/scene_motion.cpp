// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/scene_motion.h"

#include <algorithm>

namespace lapidary {
namespace {

float mix(float a, float b, float share)
{
    return a + (b - a) * share;
}

// Returns the position of `p` after the frame `from` became the frame `to`.
Point mapped(Point p, const Rect& from, const Rect& to)
{
    const float x = from.w > 0 ? to.w / from.w : 1;
    const float y = from.h > 0 ? to.h / from.h : 1;
    return {to.x + (p.x - from.x) * x, to.y + (p.y - from.y) * y};
}

Rect mapped(const Rect& r, const Rect& from, const Rect& to)
{
    const Point a = mapped(Point{r.x, r.y}, from, to);
    const Point b = mapped(Point{r.right(), r.bottom()}, from, to);
    return {a.x, a.y, b.x - a.x, b.y - a.y};
}

} // namespace

SceneMotion::SceneMotion(const Scene& oldScene, std::span<const Rect> oldRects, ScenePtr newScene)
    : m_scene(std::move(newScene))
{
    startBoxes(oldScene, oldRects);
    startRoutes();
    m_now = m_start;
}

void SceneMotion::startBoxes(const Scene& oldScene, std::span<const Rect> oldRects)
{
    m_start.rects.reserve(m_scene->boxes.size());
    for (const SceneBox& box : m_scene->boxes) {
        const bool isMain = box.kind != BoxKind::Chip && box.kind != BoxKind::Stub;
        const auto before = isMain ? oldScene.boxOf.find(box.item) : oldScene.boxOf.end();
        if (before != oldScene.boxOf.end() && before->second < oldRects.size()) {
            m_start.rects.push_back(oldRects[before->second]);
            continue;
        }
        if (box.parent < 0 || std::size_t(box.parent) >= m_start.rects.size()) {
            m_start.rects.push_back(box.rect);
            continue;
        }
        const Rect& parentEnd = m_scene->boxes[std::size_t(box.parent)].rect;
        const Rect& parentStart = m_start.rects[std::size_t(box.parent)];
        m_start.rects.push_back(mapped(box.rect, parentEnd, parentStart));
    }
}

void SceneMotion::startRoutes()
{
    m_start.points = m_scene->points;
    const auto startOf = [this](std::int32_t box, Point p) {
        if (box < 0 || std::size_t(box) >= m_start.rects.size())
            return p;
        return mapped(p, m_scene->boxes[std::size_t(box)].rect, m_start.rects[std::size_t(box)]);
    };
    for (const SceneEdge& edge : m_scene->edges)
        for (std::uint32_t k = 0; k < edge.pointCount; ++k) {
            const Point p = m_scene->points[edge.firstPoint + k];
            const Point a = startOf(edge.from, p);
            const Point b = startOf(edge.to, p);
            const float share = edge.pointCount > 1 ? float(k) / float(edge.pointCount - 1) : 0;
            m_start.points[edge.firstPoint + k] = {mix(a.x, b.x, share), mix(a.y, b.y, share)};
        }
}

void SceneMotion::moveTo(double share)
{
    const float t = float(std::clamp(share, 0.0, 1.0));
    for (std::size_t i = 0; i < m_now.rects.size(); ++i) {
        const Rect& a = m_start.rects[i];
        const Rect& b = m_scene->boxes[i].rect;
        m_now.rects[i] = {mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.w, b.w, t), mix(a.h, b.h, t)};
    }
    for (std::size_t i = 0; i < m_now.points.size(); ++i) {
        const Point a = m_start.points[i];
        const Point b = m_scene->points[i];
        m_now.points[i] = {mix(a.x, b.x, t), mix(a.y, b.y, t)};
    }
}

} // namespace lapidary
