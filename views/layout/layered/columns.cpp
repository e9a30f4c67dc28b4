#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>

namespace lapidary::layered {
namespace {

constexpr float gutter = 56;    // between columns
constexpr float margin = 16;    // of the link that leads on, from the column's ends
constexpr float usualRank = 64; // height of a rank of ops with its gap
constexpr float usualBox = 160; // width of an op with its gap
constexpr int fewRanks = 16;

// How many columns suit the part. Counted in usual boxes, so that opening a group changes nothing.
int columnCount(const PartFrame& frame)
{
    const int ranks = frame.layers.ranks();
    if (ranks < fewRanks)
        return 1;
    int widest = 0;
    for (int r = 0; r < ranks; ++r)
        widest = std::max(widest, frame.layers.rankStart[r + 1] - frame.layers.rankStart[r]);
    const float height = static_cast<float>(ranks) * usualRank;
    const float width = static_cast<float>(widest) * usualBox + gutter;
    const float columns = std::sqrt(frame.spacing.aspect * height / width);
    return std::clamp(static_cast<int>(columns), 1, ranks / 6);
}

// Gaps that one link alone passes, with the flow: 1, otherwise 0.
std::vector<std::uint8_t> narrowGaps(const PartFrame& frame)
{
    std::vector<int> links(static_cast<std::size_t>(frame.layers.ranks()));
    for (const Link& link : frame.links)
        ++links[frame.layers.rank[link.upper]];
    std::vector<std::uint8_t> narrow;
    for (const int n : links)
        narrow.push_back(n == 1);
    for (std::size_t c = 0; c < frame.layers.chains.size(); ++c)
        if (frame.isReversed(static_cast<int>(c)))
            for (const int l : frame.chainLinks[c])
                narrow[frame.layers.rank[frame.links[l].upper]] = 0;
    return narrow;
}

// First rank of each column.
std::vector<int> columnStarts(const PartFrame& frame)
{
    std::vector<int> starts{0};
    const int columns = columnCount(frame);
    if (columns < 2)
        return starts;
    const std::vector<std::uint8_t> narrow = narrowGaps(frame);
    const int ranks = frame.layers.ranks();
    const int reach = ranks / columns / 3;
    for (int i = 1; i < columns; ++i) {
        const int ideal = ranks * i / columns;
        int best = -1;
        for (int r = std::max(1, ideal - reach); r <= std::min(ranks - 1, ideal + reach); ++r)
            if (narrow[r - 1] && (best < 0 || std::abs(r - ideal) < std::abs(best - ideal)))
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
};

std::vector<Column> measure(const PartFrame& frame, const std::vector<int>& starts,
                            std::vector<int>& columnOf)
{
    std::vector<Column> columns(starts.size());
    columnOf.resize(static_cast<std::size_t>(frame.layers.ranks()));
    for (std::size_t c = 0; c < starts.size(); ++c) {
        const int end = c + 1 < starts.size() ? starts[c + 1] : frame.layers.ranks();
        Column& column = columns[c];
        column.top = frame.rankTop[starts[c]];
        column.bottom = frame.rankBottom[end - 1];
        for (int r = starts[c]; r < end; ++r) {
            columnOf[r] = static_cast<int>(c);
            for (const int v : frame.row(r)) {
                const auto x = static_cast<float>(frame.x[v]);
                column.left = std::min(column.left, x - frame.rooms[v].left);
                column.right = std::max(column.right, x + frame.rooms[v].right);
            }
        }
    }
    float x = 0;
    for (Column& column : columns) {
        column.dx = x - std::floor(column.left);
        column.dy = margin - column.top;
        x = std::ceil(column.right + column.dx) + gutter;
    }
    return columns;
}

int columnAt(const std::vector<Column>& columns, float y)
{
    int c = 0;
    while (c + 1 < static_cast<int>(columns.size()) && y >= columns[c + 1].top)
        ++c;
    return c;
}

// Moves a route into its columns; where it leads on, it runs up between them.
std::vector<Spot> fold(const std::vector<Spot>& route, const std::vector<Column>& columns)
{
    std::vector<Spot> folded;
    int last = columnAt(columns, route.front().y);
    for (const Spot& s : route) {
        const int c = columnAt(columns, s.y);
        const Column& to = columns[c];
        if (c != last) {
            const Column& from = columns[last];
            const float x = to.left + to.dx - gutter / 2;
            const float under = from.bottom + from.dy + margin;
            const float over = to.top + to.dy - margin;
            folded.push_back({folded.back().x, under});
            folded.push_back({x, under});
            folded.push_back({x, over});
            folded.push_back({s.x + to.dx, over});
            last = c;
        }
        folded.push_back({s.x + to.dx, s.y + to.dy});
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
    const std::vector<Column> columns = measure(frame, starts, columnOf);
    for (auto& route : frame.routes)
        if (!route.empty())
            route = fold(route, columns);
    frame.left = 0;
    frame.bottom = 0;
    for (const Column& column : columns) {
        frame.right = column.right + column.dx;
        frame.bottom = std::max(frame.bottom, column.bottom + column.dy + margin + 4);
    }
    for (int v = 0; v < frame.layers.size(); ++v) {
        const Column& column = columns[columnOf[frame.layers.rank[v]]];
        frame.x[v] += static_cast<int>(column.dx);
        frame.y[v] += column.dy;
    }
}

} // namespace lapidary::layered
