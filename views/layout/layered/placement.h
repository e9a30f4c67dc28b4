// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "views/layout/layered/problem.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lapidary::layered {

// The flow runs along y; x is across it.
struct Spot {
    float x = 0;
    float y = 0;
    bool operator==(const Spot&) const = default;
};

// The extent of a vertex around its axis, the line on which a straight edge runs through it. Edges
// attach to the box inside that extent; the rest is for pills at its sides.
struct Room {
    float left = 0; // from the axis to the left end of the extent, >= boxLeft
    float right = 0;
    float boxLeft = 0;
    float boxRight = 0;
    float height = 0;
    float boxTop = 0; // from the top of the extent
    float boxHeight = 0;
};

// The distance from the axis of its vertex at which an edge must attach. The layout spreads free
// ends.
inline constexpr float freeEnd = std::numeric_limits<float>::quiet_NaN();
struct Ends {
    float from = freeEnd;
    float to = freeEnd;
};

struct Spacing {
    float rankGap = 28;
    float widestGap = 68; // gap between ranks if edges run far across
    float vertexGap = 24;
    float laneGap = 12;
    float partGap = 40;
    float asideGap = 12;
    float aspect = 1.6; // width / height that packing aims at
    bool foldLongParts = true;
    std::int64_t work = 3'000'000; // for each part's coordinates
};

struct Placement {
    std::vector<Spot> axis;         // per vertex: its axis and the top of its extent
    std::vector<int> routeStart{0}; // edges + 1 entries, into `spots`
    std::vector<Spot> spots;        // from `from` to `to`, both on the box's border; empty if cut
    float width = 0;                // everything is inside 0..width, 0..height
    float height = 0;

    std::span<const Spot> route(int edge) const
    {
        return {spots.data() + routeStart[edge],
                std::size_t(routeStart[edge + 1] - routeStart[edge])};
    }
};

// Returns coordinates for a plan. Extents and routes never overlap: routes bend only between ranks.
Result<Placement> place(const Problem& problem, const Plan& plan, std::span<const Room> rooms,
                        std::span<const Ends> ends, const Spacing& spacing, const Job& job);

} // namespace lapidary::layered
