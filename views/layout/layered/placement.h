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

// The room that a vertex takes, about its axis: the line on which a straight edge runs through it.
// Edges attach to the box inside that room, the rest is for what hangs on its sides.
struct Room {
    float left = 0; // from the axis to the left end of the room, >= boxLeft
    float right = 0;
    float boxLeft = 0;
    float boxRight = 0;
    float height = 0;
    float boxTop = 0; // from the top of the room
    float boxHeight = 0;
};

// Where an edge must attach, from the axis of its vertex; free: the layout spreads the ends.
inline constexpr float freeEnd = std::numeric_limits<float>::quiet_NaN();
struct Ends {
    float from = freeEnd;
    float to = freeEnd;
};

struct Spacing {
    float rankGap = 28;
    float widestGap = 68; // of ranks between which edges run far across
    float vertexGap = 24;
    float laneGap = 12;
    float partGap = 40;
    float aspect = 1.6; // width / height that packing aims at
    bool foldLongParts = true;
    std::int64_t work = 3'000'000; // for each part's coordinates
};

struct Placement {
    std::vector<Spot> axis;         // per vertex: its axis and the top of its room
    std::vector<int> routeStart{0}; // edges + 1 entries, into `spots`
    std::vector<Spot> spots;        // from `from` to `to`, both on the box's border; none where cut
    float width = 0;                // everything lies in 0..width, 0..height
    float height = 0;

    std::span<const Spot> route(int edge) const
    {
        return {spots.data() + routeStart[edge],
                static_cast<std::size_t>(routeStart[edge + 1] - routeStart[edge])};
    }
};

// Coordinates for a plan. Rooms and routes never overlap: routes bend only between ranks.
Result<Placement> place(const Problem& problem, const Plan& plan, std::span<const Room> rooms,
                        std::span<const Ends> ends, const Spacing& spacing, const Job& job);

} // namespace lapidary::layered
