// SPDX-License-Identifier: Apache-2.0
// A vertex of a wrapped rank keeps its position in the order of every row: its own row holds the
// vertex itself, the rows above it the lines that lead to it, and the rows below it the lines that
// continue from it. Each row is therefore the old order with some vertices drawn as lines, and
// crossings are counted between the same neighbors as before. Lines at one vertex are sorted by
// their far ends.
#include "views/layout/layered/wrapping.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lapidary::layered {
namespace {

// Returns the number of rows. A row has a few more vertices than there are rows: boxes are wider
// than high, and lines need width too.
int rowsFor(int vertices, int widest)
{
    if (vertices <= widest)
        return 1;
    const int across = std::max(widest, int(std::ceil(1.6 * std::sqrt(vertices))));
    return (vertices + across - 1) / across;
}

class Wrapper {
public:
    Wrapper(Layers& layers, const Problem& problem)
        : m_old(layers)
        , m_problem(problem)
    {
    }

    // Assigns vertices to rows. Returns false if no rank is too wide.
    bool findRows(int widest)
    {
        std::vector<std::uint8_t> isPort(std::size_t(m_problem.vertices));
        for (const auto* ports : {&m_problem.top, &m_problem.bottom})
            for (const int v : *ports)
                isPort[v] = 1;
        m_row.assign(m_old.vertices.size(), 0);
        bool isAnyWide = false;
        int next = 0;
        for (int r = 0; r < m_old.ranks(); ++r) {
            std::vector<int> inTurn;
            for (int i = m_old.rankStart[r]; i < m_old.rankStart[r + 1]; ++i)
                if (const int v = m_old.order[i]; !m_old.isDummy(v) && !isPort[m_old.vertices[v]])
                    inTurn.push_back(v);
            const int rows = rowsFor(int(inTurn.size()), widest);
            for (std::size_t i = 0; i < inTurn.size(); ++i)
                m_row[inTurn[i]] = int(i) % rows;
            isAnyWide = isAnyWide || rows > 1;
            m_rows.push_back(rows);
            m_firstRow.push_back(next);
            next += rows;
        }
        return isAnyWide;
    }

    void run()
    {
        m_rank = m_old.rank;
        m_position.resize(m_old.order.size());
        for (std::size_t i = 0; i < m_old.order.size(); ++i)
            m_position[m_old.order[i]] = int(i);
        m_lines.resize(m_old.rank.size());
        for (int v = 0; v < m_old.size(); ++v)
            placeVertex(v);
        findEnds();
        makeLines();
        rebuildPaths();
        rebuildOrder();
        m_old.rank = std::move(m_rank);
    }

private:
    struct End { // a real vertex of a wrapped rank in a path
        int vertex = 0;
        bool arrives = false;
        int other = 0; // position of the neighbor in the path
        int first = 0; // identifies the path
    };

    int rowsAt(int v) const { return m_rows[m_old.rank[v]]; }

    int newDummy(int rank)
    {
        m_rank.push_back(rank);
        return int(m_rank.size()) - 1;
    }

    void placeVertex(int v)
    {
        const int first = m_firstRow[m_old.rank[v]];
        m_rank[v] = first + (m_old.isDummy(v) ? 0 : m_row[v]);
        if (!m_old.isDummy(v))
            return;
        m_lines[v].push_back({v});
        for (int row = 1; row < rowsAt(v); ++row)
            m_lines[v][0].push_back(newDummy(first + row));
    }

    void findEnds()
    {
        for (const Layers::Chain& chain : m_old.chains) {
            const int* path = m_old.path.data() + chain.first;
            const int upper = path[0];
            const int lower = path[chain.count - 1];
            if (rowsAt(upper) > m_row[upper] + 1)
                m_ends.push_back({upper, false, m_position[path[1]], chain.first});
            if (m_row[lower] > 0)
                m_ends.push_back({lower, true, m_position[path[chain.count - 2]], chain.first});
        }
        const auto asTuple = [](const End& end) {
            return std::tuple(end.vertex, end.arrives, end.other, end.first);
        };
        std::ranges::sort(m_ends, {}, asTuple);
        const auto last =
            std::unique(m_ends.begin(), m_ends.end(),
                        [&](const End& a, const End& b) { return asTuple(a) == asTuple(b); });
        m_ends.erase(last, m_ends.end());
    }

    // Makes the lines above and below each vertex, from left to right. Paths that share a line
    // further down share it from the beginning.
    void makeLines()
    {
        m_above.resize(m_old.vertices.size());
        m_upperLine.assign(m_old.path.size(), -1);
        m_lowerLine.assign(m_old.path.size(), -1);
        for (std::size_t i = 0; i < m_ends.size(); ++i) {
            const End& end = m_ends[i];
            const int v = end.vertex;
            auto& lines = end.arrives ? m_above[v] : m_lines[v];
            const bool isShared = !end.arrives && i > 0 && m_ends[i - 1].vertex == v &&
                                  !m_ends[i - 1].arrives && m_ends[i - 1].other == end.other &&
                                  m_old.isDummy(m_old.order[end.other]);
            if (!isShared) {
                const int from = end.arrives ? 0 : m_row[v] + 1;
                const int to = end.arrives ? m_row[v] : rowsAt(v);
                std::vector<int> line;
                for (int row = from; row < to; ++row)
                    line.push_back(newDummy(m_firstRow[m_old.rank[v]] + row));
                lines.push_back(std::move(line));
            }
            (end.arrives ? m_lowerLine : m_upperLine)[end.first] = int(lines.size()) - 1;
        }
    }

    void rebuildPaths()
    {
        std::vector<int> path;
        // New paths by the chain's old `first`.
        std::vector<std::pair<int, int>> known(m_old.path.size(), {-1, 0});
        const auto append = [&path](const std::vector<int>& line) {
            path.insert(path.end(), line.begin(), line.end());
        };
        for (Layers::Chain& chain : m_old.chains) {
            auto& [first, count] = known[chain.first];
            if (first < 0) {
                first = int(path.size());
                const int* old = m_old.path.data() + chain.first;
                path.push_back(old[0]);
                if (const int line = m_upperLine[chain.first]; line >= 0)
                    append(m_lines[old[0]][line]);
                for (int i = 1; i + 1 < chain.count; ++i)
                    append(m_lines[old[i]][0]);
                const int end = old[chain.count - 1];
                if (const int line = m_lowerLine[chain.first]; line >= 0)
                    append(m_above[end][line]);
                path.push_back(end);
                count = int(path.size()) - first;
            }
            chain.first = first;
            chain.count = count;
        }
        m_old.path = std::move(path);
    }

    void rebuildOrder()
    {
        std::vector<int> order;
        std::vector<int> start{0};
        for (int r = 0; r < m_old.ranks(); ++r)
            for (int row = 0; row < m_rows[r]; ++row) {
                for (int i = m_old.rankStart[r]; i < m_old.rankStart[r + 1]; ++i)
                    appendRow(m_old.order[i], row, order);
                start.push_back(int(order.size()));
            }
        m_old.order = std::move(order);
        m_old.rankStart = std::move(start);
    }

    void appendRow(int v, int row, std::vector<int>& order) const
    {
        if (m_old.isDummy(v)) {
            order.push_back(m_lines[v][0][row]);
            return;
        }
        const int own = m_row[v];
        if (row == own)
            order.push_back(v);
        else if (row < own)
            for (const std::vector<int>& line : m_above[v])
                order.push_back(line[row]);
        else
            for (const std::vector<int>& line : m_lines[v])
                order.push_back(line[row - own - 1]);
    }

    Layers& m_old;
    const Problem& m_problem;
    std::vector<int> m_rows;     // number of rows of each old rank
    std::vector<int> m_firstRow; // the first new rank of each old rank
    std::vector<int> m_row;      // row of each real vertex in its old rank
    std::vector<int> m_rank;     // of each new vertex
    std::vector<int> m_position; // in the old order
    std::vector<End> m_ends;
    std::vector<std::vector<std::vector<int>>> m_above; // lines that arrive at a vertex
    // Lines that continue from a vertex; for a dummy, itself.
    std::vector<std::vector<std::vector<int>>> m_lines;
    std::vector<int> m_upperLine; // by path: line at its upper end, -1: none
    std::vector<int> m_lowerLine;
};

} // namespace

void wrapWideRanks(Layers& layers, const Problem& problem, int widest)
{
    Wrapper wrapper(layers, problem);
    if (widest > 0 && wrapper.findRows(widest))
        wrapper.run();
}

} // namespace lapidary::layered
