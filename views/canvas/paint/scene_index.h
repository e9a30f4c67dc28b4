// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lapidary {

// Answers "which items are in this rectangle" and "which item is under this point" for one scene,
// with a uniform grid over compact copies of the rectangles. O(items) to build and to keep; a query
// takes time for each cell that it touches. Can be built on any thread. The scene must outlive the
// index.
class SceneIndex {
public:
    explicit SceneIndex(const Scene& scene);

    std::span<const Rect> boxRects() const { return m_boxes.rects; }
    std::span<const Rect> edgeBounds() const { return m_edges.rects; }

    // Return indices in ascending order, so parents come before their children.
    std::vector<std::uint32_t> boxesIn(const Rect& area) const { return m_boxes.in(area); }
    std::vector<std::uint32_t> edgesIn(const Rect& area) const { return m_edges.in(area); }
    // Returns the innermost box at a point, or -1. Open groups count as well.
    std::int32_t boxAt(Point point) const;
    // Returns the nearest edge whose route passes within `reach`, or -1.
    std::int32_t edgeAt(Point point, float reach) const;

private:
    // Rectangles by cell. A rectangle that would fill many cells is kept in a separate list that
    // every query searches.
    struct Grid {
        std::vector<Rect> rects;
        std::vector<std::uint32_t> large;
        std::vector<std::uint32_t> start; // indices into items, by cell
        std::vector<std::uint32_t> items;
        Rect bounds;
        float cell = 1;
        int columns = 0;
        int rows = 0;

        void build(const Rect& bounds);
        std::vector<std::uint32_t> in(const Rect& area) const;

    private:
        struct Cells {
            int left, top, right, bottom;
            long long count() const { return (right - left + 1LL) * (bottom - top + 1LL); }
        };
        Cells cellsOf(const Rect& rect) const;
        std::vector<std::uint32_t> inAll(const Rect& area) const;
        void addCell(int index, const Rect& area, std::vector<std::uint32_t>& found) const;
    };

    const Scene& m_scene;
    Grid m_boxes;
    Grid m_edges;
};

using SceneIndexPtr = std::shared_ptr<const SceneIndex>;
SceneIndexPtr indexOf(const ScenePtr& scene);

} // namespace lapidary
