// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace lapidary {

// Finds rectangles near a point. Made for a known area and an approximate number of rectangles.
class RectGrid {
public:
    RectGrid(float width, float height, std::size_t expected)
    {
        const double area = std::max(1.0, double(width) * height);
        const double cells = std::clamp(double(expected), 16.0, 400'000.0);
        m_cell = float(std::max(32.0, std::sqrt(area / cells)));
        m_columns = cellCount(width);
        m_rows = cellCount(height);
        while (double(m_columns) * m_rows > 1'000'000.0) {
            m_cell *= 2;
            m_columns = cellCount(width);
            m_rows = cellCount(height);
        }
        m_cells.resize(std::size_t(m_columns) * std::size_t(m_rows));
    }

    void add(const Rect& rect, int id)
    {
        forCells(rect, [&](std::vector<Entry>& cell) {
            cell.push_back({rect, id});
            return true;
        });
    }

    // Calls visit(rect, id) for every rectangle that may touch `rect`, for some of them twice,
    // until it returns false. Returns whether all calls returned true.
    template <class Visit>
    bool near(const Rect& rect, const Visit& visit)
    {
        return forCells(rect, [&](std::vector<Entry>& cell) {
            return std::ranges::all_of(cell, [&](const Entry& e) { return visit(e.rect, e.id); });
        });
    }

private:
    struct Entry {
        Rect rect;
        int id;
    };

    int cellCount(float length) const { return std::max(1, int(length / m_cell) + 1); }
    int cellAt(float at, int count) const
    {
        return std::clamp(int(std::floor(at / m_cell)), 0, count - 1);
    }

    template <class Visit>
    bool forCells(const Rect& rect, const Visit& visit)
    {
        const int right = cellAt(rect.right(), m_columns);
        const int bottom = cellAt(rect.bottom(), m_rows);
        for (int y = cellAt(rect.y, m_rows); y <= bottom; ++y)
            for (int x = cellAt(rect.x, m_columns); x <= right; ++x)
                if (!visit(m_cells[std::size_t(y) * m_columns + x]))
                    return false;
        return true;
    }

    float m_cell = 64;
    int m_columns = 1;
    int m_rows = 1;
    std::vector<std::vector<Entry>> m_cells;
};

} // namespace lapidary
