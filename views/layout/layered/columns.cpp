// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lapidary::layered {
namespace {

constexpr float gutter = 56; // between columns
// distance of the link that leads on from the column's top and bottom
constexpr float margin = 16;
constexpr float usualRank = 64; // height of a rank of ops with its gap
constexpr float usualBox = 160; // width of an op with its gap
constexpr float usualLane = 16; // width of an edge that passes a rank, with its gap
constexpr float laneGap = 8;    // between links that lead on together
constexpr int mostLanes = 6;
constexpr int fewRanks = 12;

// Returns the width of a rank of boxes of the usual size with the edges that pass them.
float usualWidth(const PartFrame& frame, int rank)
{
    float width = 0;
    for (const int v : frame.row(rank))
        width += frame.layers.isDummy(v) ? usualLane : usualBox;
    return width;
}

// Returns how many columns suit the part. It counts boxes of the usual size, so that opening a
// group changes nothing.
int columnCount(const PartFrame& frame)
{
    const int ranks = frame.layers.ranks();
    if (ranks < fewRanks)
        return 1;
    float width = 0;
    for (int r = 0; r < ranks; ++r)
        width = std::max(width, usualWidth(frame, r));
    width += gutter;
    const float height = float(ranks) * usualRank;
    const float columns = std::sqrt(frame.spacing.aspect * height / width);
    return std::clamp(int(std::lround(columns)), 1, ranks / 6);
}

// Counts the links that pass each gap below a rank; a gap with a link against the flow counts as
// too many.
std::vector<int> linksAtGaps(const PartFrame& frame)
{
    std::vector<int> links(std::size_t(frame.layers.ranks()));
    for (const Link& link : frame.links)
        ++links[frame.layers.rank[link.upper]];
    for (std::size_t c = 0; c < frame.layers.chains.size(); ++c)
        if (frame.isReversed(int(c)))
            for (const int l : frame.chainLinks[c])
                links[frame.layers.rank[frame.links[l].upper]] = mostLanes + 1;
    return links;
}

// Returns what it costs to begin a column at a rank: a line that leads on is worth as much as
// columns that differ by two ranks.
int breakCost(const std::vector<int>& links, int rank, int ideal)
{
    return 2 * links[rank - 1] + std::abs(rank - ideal);
}

// First rank of each column.
std::vector<int> columnStarts(const PartFrame& frame)
{
    std::vector<int> starts{0};
    const int columns = columnCount(frame);
    if (columns < 2)
        return starts;
    const std::vector<int> links = linksAtGaps(frame);
    const int ranks = frame.layers.ranks();
    const int reach = ranks / columns / 3;
    for (int i = 1; i < columns; ++i) {
        const int ideal = ranks * i / columns;
        int best = -1;
        for (int r = std::max(1, ideal - reach); r <= std::min(ranks - 1, ideal + reach); ++r)
            if (links[r - 1] <= mostLanes &&
                (best < 0 || breakCost(links, r, ideal) < breakCost(links, best, ideal)))
                best = r;
        if (best > starts.back())
            starts.push_back(best);
    }
    return starts;
}

struct Column {
    float left = std::numeric_limits<float>::max();
    float right = std::numeric_limits<float>::lowest();
    float top = 0;
    float bottom = 0;
    float dx = 0;
    float dy = 0;
    std::vector<float> lanes; // where links lead on to here: their x above, right to left
};

std::vector<Column> measure(const PartFrame& frame, const std::vector<int>& starts,
                            std::vector<int>& columnOf)
{
    std::vector<Column> columns(starts.size());
    columnOf.resize(std::size_t(frame.layers.ranks()));
    for (std::size_t c = 0; c < starts.size(); ++c) {
        const int end = c + 1 < starts.size() ? starts[c + 1] : frame.layers.ranks();
        Column& column = columns[c];
        column.top = frame.rankTop[starts[c]];
        column.bottom = frame.rankBottom[end - 1];
        for (int r = starts[c]; r < end; ++r) {
            columnOf[r] = int(c);
            for (const int v : frame.row(r)) {
                const auto x = float(frame.x[v]);
                column.left = std::min(column.left, x - frame.rooms[v].left);
                column.right = std::max(column.right, x + frame.rooms[v].right);
            }
        }
    }
    return columns;
}

int columnAt(const std::vector<Column>& columns, float y)
{
    int c = 0;
    while (c + 1 < int(columns.size()) && y >= columns[c + 1].top)
        ++c;
    return c;
}

// Finds the lanes between columns: the links that lead on, the rightmost first.
void findLanes(const PartFrame& frame, std::vector<Column>& columns)
{
    for (const auto& route : frame.routes)
        for (std::size_t i = 1; i < route.size(); ++i) {
            const int end = columnAt(columns, route[i].y);
            for (int c = columnAt(columns, route[i - 1].y) + 1; c <= end; ++c)
                columns[c].lanes.push_back(route[i - 1].x);
        }
    for (Column& column : columns) {
        std::ranges::sort(column.lanes, std::greater<>());
        column.lanes.erase(std::unique(column.lanes.begin(), column.lanes.end()),
                           column.lanes.end());
    }
}

float widthOf(const std::vector<float>& lanes)
{
    return lanes.empty() ? 0 : laneGap * float(lanes.size() - 1);
}

// Puts the columns side by side, their tops aligned.
void placeColumns(std::vector<Column>& columns)
{
    float most = 0;
    for (const Column& column : columns)
        most = std::max(most, widthOf(column.lanes));
    float x = 0;
    for (Column& column : columns) {
        column.dx = x + widthOf(column.lanes) - std::floor(column.left);
        column.dy = margin + most - column.top;
        x = std::ceil(column.right + column.dx) + gutter;
    }
}

// Returns the way from a column to the next one for a link that leaves at x. A link further right
// takes the inner way below and the outer way above, so lanes never cross.
void leadOn(const Column& from, const Column& to, float leaving, float arriving,
            std::vector<Spot>& folded)
{
    const auto known = std::ranges::find(to.lanes, leaving);
    const float lane = laneGap * float(known - to.lanes.begin());
    const float x = to.left + to.dx - gutter / 2 - widthOf(to.lanes) + lane;
    const float under = from.bottom + from.dy + margin + lane;
    const float over = to.top + to.dy - margin - widthOf(to.lanes) + lane;
    folded.push_back({leaving + from.dx, under});
    folded.push_back({x, under});
    folded.push_back({x, over});
    folded.push_back({arriving + to.dx, over});
}

// Moves a route into its columns; where it leads on, it runs up between them.
std::vector<Spot> fold(const std::vector<Spot>& route, const std::vector<Column>& columns)
{
    std::vector<Spot> folded;
    Spot before = route.front();
    int last = columnAt(columns, before.y);
    for (const Spot& s : route) {
        const int c = columnAt(columns, s.y);
        for (; last < c; ++last) // a straight piece may pass whole columns
            leadOn(columns[last], columns[last + 1], before.x, last + 1 == c ? s.x : before.x,
                   folded);
        folded.push_back({s.x + columns[c].dx, s.y + columns[c].dy});
        before = s;
    }
    return folded;
}

} // namespace

void foldColumns(PartFrame& frame)
{
    const std::vector<int> starts = columnStarts(frame);
    if (starts.size() < 2)
        return;
    std::vector<int> columnOf;
    std::vector<Column> columns = measure(frame, starts, columnOf);
    findLanes(frame, columns);
    placeColumns(columns);
    for (auto& route : frame.routes)
        if (!route.empty())
            route = fold(route, columns);
    frame.left = 0;
    frame.bottom = 0;
    float lanes = 0;
    for (const Column& column : columns) {
        frame.right = column.right + column.dx;
        frame.bottom = std::max(frame.bottom, column.bottom + column.dy + margin + 4);
        lanes = std::max(lanes, widthOf(column.lanes));
    }
    frame.bottom += lanes;
    for (int v = 0; v < frame.layers.size(); ++v) {
        const Column& column = columns[columnOf[frame.layers.rank[v]]];
        frame.x[v] += int(column.dx);
        frame.y[v] += column.dy;
    }
}

} // namespace lapidary::layered
