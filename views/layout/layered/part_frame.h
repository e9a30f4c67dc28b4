// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/placement.h"

#include <vector>

namespace lapidary::layered {

// A link between vertices of neighboring ranks; one for each lane or edge.
struct Link {
    int upper = 0;
    int lower = 0;
    int upperEnd = 0; // where it attaches, relative to the axis of the vertex
    int lowerEnd = 0;
    bool upperFixed = false; // the end must not be moved along the border
    bool lowerFixed = false;
    bool isStraight = false; // both end points have the same x, by alignment
};

enum class Side : std::int8_t { None = 0, Left = -1, Right = 1 };

// How an edge drawn against the flow avoids the other edges: it runs around its box. None: it
// attaches at the side where it arrives.
struct Hook {
    Side side = Side::None;
    int distance = 0; // position of the way around, from the axis
    int inner = 0;    // position of its end on the box's border, from the axis
    int reach = 0;    // distance beyond the extent, above or below
};

// One part of a plan, with the coordinates that are found for it. Vertices are layered ones.
struct PartFrame {
    PartFrame(const Problem& p, const Plan& thePlan, const Layers& l, const Spacing& s)
        : problem(p)
        , plan(thePlan)
        , layers(l)
        , spacing(s)
    {
    }

    const Problem& problem;
    const Plan& plan;
    const Layers& layers;
    const Spacing& spacing;
    std::vector<Room> rooms;   // dummies have no extent
    std::vector<int> position; // within the rank
    std::vector<int> above;    // extra extent for hooks over the vertex
    std::vector<int> below;
    std::vector<Link> links;
    std::vector<std::vector<int>> chainLinks; // per chain, from the upper end down
    std::vector<Hook> upperHook;              // per chain; None if drawn with the flow
    std::vector<Hook> lowerHook;
    std::vector<int> x; // axis of each vertex
    std::vector<float> rankTop;
    std::vector<float> rankBottom;
    std::vector<float> y;                  // top of each vertex's extent
    std::vector<std::vector<Spot>> routes; // per chain, from `from` to `to` of its edge
    float left = 0;
    float right = 0;
    float bottom = 0;

    bool isReversed(int chain) const { return plan.reversed[layers.chains[chain].edge] != 0; }
    Link& firstLink(int chain) { return links[chainLinks[chain].front()]; } // at the upper end
    Link& lastLink(int chain) { return links[chainLinks[chain].back()]; }
    std::vector<int> row(int rank) const
    {
        return {layers.order.begin() + layers.rankStart[rank],
                layers.order.begin() + layers.rankStart[rank + 1]};
    }
};

// Leads the edges against the flow around their boxes: fills the hooks, the ends of the links, and
// the extents (hooks.cpp).
void makeHooks(PartFrame& frame, std::span<const Ends> ends);

// Fills links, hooks and extents (frame.cpp).
PartFrame makeFrame(const Problem& problem, const Plan& plan, const Layers& layers,
                    std::span<const Room> rooms, std::span<const Ends> ends,
                    const Spacing& spacing);

class Work;
// Fills x and Link::isStraight (blocks.cpp): the straightest set of links that do not cross, then
// network simplex over the blocks they make.
void findAcross(PartFrame& frame, Work& work);

// Joins three or more long lines that lead to one vertex side by side into one (bundles.cpp).
void bundleRails(PartFrame& frame);

// Fills rank borders and y (rows.cpp).
void findRows(PartFrame& frame);

// Spreads free ends over the borders in the order in which their links arrive (ports.cpp).
void spreadEnds(PartFrame& frame);

// Fills routes and the part's bounds (routing.cpp).
void route(PartFrame& frame);

// Breaks a part that is far longer than wide into columns, at gaps that few links pass
// (columns.cpp).
void foldColumns(PartFrame& frame);

// Returns the top left corner of each part; the first one stays at 0, 0 if it has ports
// (packing.cpp).
std::vector<Spot> packParts(const std::vector<PartFrame>& parts, const Spacing& spacing);

} // namespace lapidary::layered
