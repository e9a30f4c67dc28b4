// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/skips.h"

#include "views/layout/layered/components.h"

#include <algorithm>

namespace lapidary::layered {
namespace {

// Ranks: an edge that skips no more is kept even if its source has rails.
constexpr int shortSkip = 1;
constexpr int mostPerRank = 2; // vertices; if ranks have more, lines pass between them
// More lines side by side than these are rails: beside a chain, or anywhere.
constexpr int mostBesideChain = 1;
constexpr int mostBeside = 5;

// The edges that may be cut, and the other edges at their vertices.
class Skips {
public:
    Skips(const Problem& problem, const std::vector<int>& rank,
          const std::vector<std::uint8_t>& reversed, const std::vector<std::uint8_t>& isCut)
        : m_problem(problem)
        , m_rank(rank)
        , m_reversed(reversed)
        , m_isCut(isCut)
        , m_isPort(std::size_t(problem.vertices))
        , m_isNamed(std::size_t(problem.vertices))
        , m_into(std::size_t(problem.vertices))
        , m_outOf(std::size_t(problem.vertices))
        , m_joined(problem.vertices)
    {
        for (const auto* ports : {&problem.top, &problem.bottom})
            for (const int v : *ports)
                m_isPort[v] = 1;
    }

    // Splits the edges into those that stay and those that may be cut: rails and the other edges of
    // their sources.
    void split(int longest)
    {
        if (isChain())
            findRails(longest, mostBesideChain, true);
        else
            findRails(longest, mostBeside, false);
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            const Problem::Edge& edge = m_problem.edges[e];
            if (m_isCut[e])
                continue;
            ++m_outOf[edge.from];
            ++m_into[edge.to];
            if (m_isNamed[edge.from] && skipped(e) > shortSkip)
                m_long.emplace_back(skipped(e), int(e));
            else
                m_joined.join(edge.from, edge.to);
        }
        std::ranges::sort(m_long);
    }

    // Returns the long edges that are not needed to connect vertices, the longest first.
    std::vector<int> needless()
    {
        std::vector<int> spare;
        for (const auto& [skipped, e] : m_long) {
            const Problem::Edge& edge = m_problem.edges[e];
            if (m_joined.find(edge.from) == m_joined.find(edge.to))
                spare.push_back(e);
            m_joined.join(edge.from, edge.to);
        }
        std::vector<int> found;
        for (auto e = spare.rbegin(); e != spare.rend(); ++e)
            if (release(m_problem.edges[*e]))
                found.push_back(*e);
        return found;
    }

private:
    // Tells whether most vertices are below each other and not side by side.
    bool isChain() const
    {
        std::vector<int> used;
        std::vector<std::uint8_t> hasEdge(std::size_t(m_problem.vertices));
        for (const Problem::Edge& edge : m_problem.edges)
            hasEdge[edge.from] = hasEdge[edge.to] = 1;
        for (int v = 0; v < m_problem.vertices; ++v)
            if (hasEdge[v] && !m_isPort[v])
                used.push_back(m_rank[v]);
        const auto vertices = used.size();
        std::ranges::sort(used);
        used.erase(std::unique(used.begin(), used.end()), used.end());
        return vertices <= mostPerRank * used.size();
    }

    int skipped(std::size_t e) const
    {
        const Problem::Edge& edge = m_problem.edges[e];
        const bool isHeld = m_isCut[e] || m_reversed[e] || m_isPort[edge.from] || m_isPort[edge.to];
        return isHeld ? 0 : m_rank[edge.to] - m_rank[edge.from] - 1;
    }

    // Returns, for each gap below a rank, the number of gaps above it that long edges of more than
    // `most` vertices pass side by side.
    std::vector<int> crowdedGaps(int longest, int ranks, int most) const
    {
        std::vector<int> last(std::size_t(m_problem.vertices), -1); // rank that its edges lead to
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e)
            if (const Problem::Edge& edge = m_problem.edges[e]; skipped(e) > longest)
                last[edge.from] = std::max(last[edge.from], m_rank[edge.to]);
        std::vector<int> change(std::size_t(ranks) + 1);
        for (int v = 0; v < m_problem.vertices; ++v)
            if (last[v] >= 0) {
                ++change[m_rank[v]];
                --change[last[v]];
            }
        std::vector<int> crowded{0};
        int lines = 0;
        for (const int c : change) {
            lines += c;
            crowded.push_back(crowded.back() + (lines > most ? 1 : 0));
        }
        return crowded;
    }

    void findRails(int longest, int most, bool alsoLongest)
    {
        const int ranks = 1 + *std::ranges::max_element(m_rank);
        const std::vector<int> crowded = crowdedGaps(longest, ranks, most);
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            const Problem::Edge& edge = m_problem.edges[e];
            if (skipped(e) > longest && ((alsoLongest && 2 * (skipped(e) + 1) >= ranks) ||
                                         crowded[m_rank[edge.to]] > crowded[m_rank[edge.from]]))
                m_isNamed[edge.from] = 1;
        }
    }

    // Removes an edge from the counts of its vertices if both have another one.
    bool release(const Problem::Edge& edge)
    {
        if (m_outOf[edge.from] < 2 || m_into[edge.to] < 2)
            return false;
        --m_outOf[edge.from];
        --m_into[edge.to];
        return true;
    }

    const Problem& m_problem;
    const std::vector<int>& m_rank;
    const std::vector<std::uint8_t>& m_reversed;
    const std::vector<std::uint8_t>& m_isCut;
    std::vector<std::uint8_t> m_isPort;
    std::vector<std::uint8_t> m_isNamed; // an edge out of it is a rail
    std::vector<int> m_into;             // number of edges into each vertex
    std::vector<int> m_outOf;
    Components m_joined;                     // connected by the edges that stay
    std::vector<std::pair<int, int>> m_long; // ranks skipped, edge
};

} // namespace

void cutSkips(const Problem& problem, const PlanOptions& options, const std::vector<int>& rank,
              const std::vector<std::uint8_t>& reversed, std::vector<std::uint8_t>& isCut)
{
    Skips skips(problem, rank, reversed, isCut);
    if (options.longestSkip == 0 || rank.empty())
        return;
    skips.split(options.longestSkip);
    for (const int e : skips.needless())
        isCut[e] = 1;
}

} // namespace lapidary::layered
