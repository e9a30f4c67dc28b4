// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace lapidary::layered {
namespace {

constexpr float gutter = 56; // between columns
// Distance between a column's top or bottom and the link that leads to the next column.
constexpr float margin = 16;
constexpr float usualLane = 16;   // width of an edge that passes a rank, with its gap
constexpr float usualAside = 240; // width of the parts beside the network
constexpr float highestOp = 60;   // a higher box is a group
constexpr float laneGap = 8;      // between links that lead to the same column
constexpr int mostLanes = 6;
constexpr int fewRanks = 9;
constexpr int shortestColumn = 4;
// Boxes must get at least this much larger for one more column, and for each further line that
// leads to it.
constexpr float leastGain = 1.15F;
constexpr float gainForLine = 0.1F;
constexpr int freeLines = 2;

// The size of a closed box, with its gap.
struct Usual {
    float width;
    float height;
};
constexpr Usual usualOp{120, 64};
constexpr Usual usualGroup{190, 112};

// The widths and heights of ranks as if every group were closed, so that opening one changes
// nothing. Pills beside boxes are included, and edges that pass.
struct UsualRanks {
    std::vector<float> widths;
    std::vector<float> heights;
};

UsualRanks usualRanks(const PartFrame& frame)
{
    UsualRanks ranks;
    for (int r = 0; r < frame.layers.ranks(); ++r) {
        float width = 0;
        float height = usualOp.height;
        for (int i = frame.layers.rankStart[r]; i < frame.layers.rankStart[r + 1]; ++i) {
            const int v = frame.layers.order[i];
            const Room& room = frame.rooms[v];
            const Usual& usual = room.boxHeight > highestOp ? usualGroup : usualOp;
            const float pills = room.left - room.boxLeft + room.right - room.boxRight;
            width += frame.layers.isDummy(v) ? usualLane : usual.width + pills;
            height = std::max(height, usual.height);
        }
        ranks.widths.push_back(width);
        ranks.heights.push_back(height);
    }
    return ranks;
}

// Counts the links that pass each gap below a rank. Links that were joined to one line count once;
// a gap with a link against the flow counts as too many.
std::vector<int> linksAtGaps(const PartFrame& frame)
{
    std::vector<int> links(std::size_t(frame.layers.ranks()));
    std::set<std::pair<int, int>> lines; // rank, position
    for (const Link& link : frame.links) {
        const int rank = frame.layers.rank[link.upper];
        if (!frame.layers.isDummy(link.upper) || lines.insert({rank, frame.x[link.upper]}).second)
            ++links[rank];
    }
    for (std::size_t c = 0; c < frame.layers.chains.size(); ++c)
        if (frame.isReversed(int(c)))
            for (const int l : frame.chainLinks[c])
                links[frame.layers.rank[frame.links[l].upper]] = mostLanes + 1;
    return links;
}

// Finds the columns that show a part as large as possible.
class ColumnFinder {
public:
    explicit ColumnFinder(const PartFrame& frame)
        : m_ranks(frame.layers.ranks())
        , m_aspect(frame.spacing.aspect)
        , m_aside(frame.problem.aside.empty() ? 0 : usualAside)
        , m_usual(usualRanks(frame))
        , m_links(linksAtGaps(frame))
    {
    }

    // Returns the first rank of each column.
    std::vector<int> starts() const
    {
        std::vector<int> best{0};
        if (m_ranks < fewRanks)
            return best;
        float largest = scaleOf(best);
        const float narrowest = *std::ranges::min_element(m_usual.widths) + gutter;
        const float height = std::accumulate(m_usual.heights.begin(), m_usual.heights.end(), 0.0F);
        const int most =
            std::min(m_ranks / shortestColumn, int(std::sqrt(m_aspect * height / narrowest)) + 2);
        for (int columns = 2; columns <= most; ++columns) {
            std::vector<int> tried = startsOf(columns);
            const float scale = scaleOf(tried);
            if (tried.size() > best.size() && scale > largest * gainWanted(tried)) {
                largest = scale;
                best = std::move(tried);
            }
        }
        return best;
    }

private:
    // Returns the cost of beginning a column at a rank: a line to the next column costs as much as
    // columns that differ by two ranks.
    int breakCost(int rank, int ideal) const
    {
        return 2 * m_links[rank - 1] + std::abs(rank - ideal);
    }

    std::vector<int> startsOf(int columns) const
    {
        std::vector<int> starts{0};
        const int reach = m_ranks / columns / 3;
        for (int i = 1; i < columns; ++i) {
            const int ideal = m_ranks * i / columns;
            int best = -1;
            for (int r = std::max(1, ideal - reach); r <= std::min(m_ranks - 1, ideal + reach); ++r)
                if (m_links[r - 1] <= mostLanes &&
                    (best < 0 || breakCost(r, ideal) < breakCost(best, ideal)))
                    best = r;
            if (best > starts.back())
                starts.push_back(best);
        }
        return starts;
    }

    int mostLinks(const std::vector<int>& starts) const
    {
        int most = 0;
        for (std::size_t c = 1; c < starts.size(); ++c)
            most = std::max(most, m_links[starts[c] - 1]);
        return most;
    }

    float gainWanted(const std::vector<int>& starts) const
    {
        return leastGain + gainForLine * float(std::max(0, mostLinks(starts) - freeLines));
    }

    // Returns the scale at which a view of the wanted shape shows these columns.
    float scaleOf(const std::vector<int>& starts) const
    {
        float width = m_aside + gutter * float(starts.size() - 1);
        float highest = 0;
        for (std::size_t c = 0; c < starts.size(); ++c) {
            const auto from = starts[c];
            const auto to = c + 1 < starts.size() ? starts[c + 1] : m_ranks;
            width += *std::max_element(m_usual.widths.begin() + from, m_usual.widths.begin() + to);
            highest = std::max(highest, std::accumulate(m_usual.heights.begin() + from,
                                                        m_usual.heights.begin() + to, 0.0F));
            if (c > 0)
                width += laneGap * float(m_links[from - 1] - 1);
        }
        const int links = mostLinks(starts);
        const float ways = links > 0 ? 2 * (margin + laneGap * float(links)) : 0;
        return std::min(m_aspect / width, 1 / (highest + ways));
    }

    int m_ranks;
    float m_aspect;
    float m_aside;
    UsualRanks m_usual;
    std::vector<int> m_links; // by the rank above
};

struct Column {
    float left = std::numeric_limits<float>::max();
    float right = std::numeric_limits<float>::lowest();
    float top = 0;
    float bottom = 0;
    float dx = 0;
    float dy = 0;
    // Positions, in the column before, of the links that lead to this one, right to left.
    std::vector<float> lanes;
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

// Finds the lanes between columns: the links that lead to the next one, the rightmost first.
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

// Adds the route from a column to the next one for a link that leaves at x. A link further right
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

// Moves a route into its columns. Where it leads to the next column, it runs up between the two.
std::vector<Spot> fold(const std::vector<Spot>& route, const std::vector<Column>& columns)
{
    std::vector<Spot> folded;
    Spot before = route.front();
    int last = columnAt(columns, before.y);
    for (const Spot& s : route) {
        const int c = columnAt(columns, s.y);
        for (; last < c; ++last) // a straight piece may cross several columns
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
    const std::vector<int> starts = ColumnFinder(frame).starts();
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
