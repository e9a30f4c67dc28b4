// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/scene_index.h"

#include "views/canvas/paint/edge_curve.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr long long cellsOfLargeItem = 64;
constexpr long long mostCells = 1 << 18;

// The bounds of an edge may have no area; QRectF::intersects() is false for such rectangles.
bool touches(const Rect& a, const Rect& b)
{
    return a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom();
}

float distanceToSegment(Point p, Point a, Point b)
{
    const float dx = b.x - a.x;
    const float dy = b.y - a.y;
    const float length = dx * dx + dy * dy;
    const float t =
        length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0F, 1.0F) : 0.0F;
    return std::hypot(p.x - (a.x + t * dx), p.y - (a.y + t * dy));
}

float distanceToRoute(Point p, std::span<const Point> route)
{
    float best = INFINITY;
    for (std::size_t i = 0; i + 1 < route.size(); ++i)
        best = std::min(best, distanceToSegment(p, route[i], route[i + 1]));
    return best;
}

} // namespace

SceneIndex::SceneIndex(const Scene& scene)
    : m_scene(scene)
{
    m_boxes.rects.reserve(scene.boxes.size());
    for (const SceneBox& box : scene.boxes)
        m_boxes.rects.push_back(box.rect);
    m_boxes.build(scene.bounds);
    m_edges.rects.reserve(scene.edges.size());
    for (const SceneEdge& edge : scene.edges)
        m_edges.rects.push_back(routeBounds(scene.route(edge)));
    m_edges.build(scene.bounds);
}

void SceneIndex::Grid::build(const Rect& area)
{
    bounds = area;
    const double size = std::max(double(area.w) * area.h, 1.0);
    const double wanted = std::clamp(double(rects.size()) / 4, 1.0, double(mostCells));
    cell = float(std::max(std::sqrt(size / wanted), 64.0));
    columns = std::max(1, int(std::min(std::ceil(area.w / cell), 1e5F)));
    rows = std::max(1, int(std::min(std::ceil(area.h / cell), 1e5F)));
    start.assign(std::size_t(columns) * std::size_t(rows) + 1, 0);
    const auto forCells = [this](const Rect& rect, auto visit) {
        const Cells cells = cellsOf(rect);
        for (int y = cells.top; y <= cells.bottom; ++y)
            for (int x = cells.left; x <= cells.right; ++x)
                visit(std::size_t(y) * std::size_t(columns) + std::size_t(x));
    };
    for (std::uint32_t i = 0; i < rects.size(); ++i) {
        if (cellsOf(rects[i]).count() > cellsOfLargeItem)
            large.push_back(i);
        else
            forCells(rects[i], [this](std::size_t at) { ++start[at + 1]; });
    }
    for (std::size_t i = 1; i < start.size(); ++i)
        start[i] += start[i - 1];
    items.resize(start.back());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::uint32_t i = 0; i < rects.size(); ++i)
        if (cellsOf(rects[i]).count() <= cellsOfLargeItem)
            forCells(rects[i], [&](std::size_t at) { items[next[at]++] = i; });
}

SceneIndex::Grid::Cells SceneIndex::Grid::cellsOf(const Rect& rect) const
{
    const auto at = [this](float v, float origin, int count) {
        const float i = std::floor((v - origin) / cell);
        return int(std::clamp(i, 0.0F, float(count - 1)));
    };
    return {at(rect.x, bounds.x, columns), at(rect.y, bounds.y, rows),
            at(rect.right(), bounds.x, columns), at(rect.bottom(), bounds.y, rows)};
}

std::vector<std::uint32_t> SceneIndex::Grid::inAll(const Rect& area) const
{
    std::vector<std::uint32_t> found;
    found.reserve(rects.size());
    for (std::uint32_t i = 0; i < rects.size(); ++i)
        if (touches(rects[i], area))
            found.push_back(i);
    return found;
}

void SceneIndex::Grid::addCell(int index, const Rect& area, std::vector<std::uint32_t>& found) const
{
    for (std::uint32_t at = start[std::size_t(index)]; at < start[std::size_t(index) + 1]; ++at)
        if (touches(rects[items[at]], area))
            found.push_back(items[at]);
}

std::vector<std::uint32_t> SceneIndex::Grid::in(const Rect& area) const
{
    const Cells cells = cellsOf(area);
    if (cells.count() * 3 > static_cast<long long>(columns) * rows)
        return inAll(area);
    std::vector<std::uint32_t> found;
    for (const std::uint32_t i : large)
        if (touches(rects[i], area))
            found.push_back(i);
    for (int y = cells.top; y <= cells.bottom; ++y)
        for (int x = cells.left; x <= cells.right; ++x)
            addCell(y * columns + x, area, found);
    std::ranges::sort(found);
    const auto repeated = std::unique(found.begin(), found.end());
    found.erase(repeated, found.end());
    return found;
}

SceneIndexPtr indexOf(const ScenePtr& scene)
{
    return std::make_shared<const SceneIndex>(*scene);
}

std::int32_t SceneIndex::boxAt(Point point) const
{
    const auto found = m_boxes.in({point.x, point.y, 0, 0});
    for (auto i = found.rbegin(); i != found.rend(); ++i)
        if (m_boxes.rects[*i].contains(point))
            return std::int32_t(*i);
    return -1;
}

std::int32_t SceneIndex::edgeAt(Point point, float reach) const
{
    std::int32_t best = -1;
    float nearest = reach;
    for (const std::uint32_t i :
         m_edges.in({point.x - reach, point.y - reach, 2 * reach, 2 * reach})) {
        const float distance = distanceToRoute(point, m_scene.route(m_scene.edges[i]));
        if (distance <= nearest) {
            nearest = distance;
            best = std::int32_t(i);
        }
    }
    return best;
}

} // namespace lapidary
