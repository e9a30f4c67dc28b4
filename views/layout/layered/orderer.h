// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/layer_graph.h"
#include "views/layout/layered/rng.h"
#include "views/layout/layered/work.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lapidary::layered {

// Looks for an order of each rank with few crossings: a dozen starts, each followed by sweeps and
// transpositions that also flip pairs of equal crossings; the best is kept separately for each
// block of ranks between ranks of one vertex; then random windows are disturbed and done again.
// Crossings are counted between links of neighboring ranks.
class Orderer {
public:
    Orderer(const LayerGraph& graph, Work& work, std::uint64_t seed);

    // Orders from scratch, within the work's allowance. The first start is made at any cost.
    void starts();
    // Takes an order as the best so far.
    void adopt(std::vector<int> order);
    // Improves the best order within the allowance; stops by itself when little can be gained.
    void windows();

    std::int64_t crossings() const; // crossings of the best order
    const std::vector<int>& best() const { return m_best; }

private:
    enum class Walk : std::uint8_t { Directed, Breadth, Depth };
    enum class Flips : std::uint8_t { Never, Alternate, Always };
    struct Style {
        bool median = true;
        bool tiesReversed = false;
        Flips flips = Flips::Alternate;
    };
    struct Start {
        Walk walk = Walk::Directed;
        bool fromSinks = false;
        Style style;
        bool shuffled = false;
    };
    struct PairCrossings {
        std::int64_t kept = 0;    // crossings with v left of w
        std::int64_t swapped = 0; // crossings with w left of v
    };
    struct Keyed {
        float key;
        int tie;
        int vertex;
    };
    struct Block { // ranks first..last; only these two have one vertex
        int first;
        int last;
        std::int64_t best;
    };
    static std::span<const Start> startTable();

    // crossings.cpp
    std::int64_t countGap(int gap);
    std::int64_t gapCrossings(int gap);
    std::int64_t crossingsBetween(int firstGap, int endGap);
    PairCrossings pairCrossings(std::span<const int> left, std::span<const int> right);
    void markDirty(int rank);

    // sweeps.cpp
    void run(const Start& start);
    void sweep(int first, int last, bool downwards, const Style& style, bool reverseTies);
    void sortRank(int rank, bool byUpper, const Style& style, bool reverseTies);
    float keyOf(int v, bool byUpper, bool median);
    float medianOf(std::span<const int> sorted) const;
    void transpose(int first, int last, bool flips);
    std::int64_t transposeRank(int rank, bool flips, bool& swapped);
    void setPositions(int rank);
    void keepBest();
    void restoreBest();

    // starts.cpp
    void begin(const Start& start);
    void beginDirected(bool fromSinks, std::span<const int> seeds, bool shuffled);
    void beginUndirected(const Start& start, std::span<const int> seeds);
    std::vector<int> seeds(bool sinks, bool shuffled);
    std::vector<int> neighbors(int v, bool down, bool shuffled);
    void append(int v);
    void fixPorts();

    // windows.cpp
    bool window(std::span<const int> gaps);
    void disturb(int gap, int first, int last);
    void shuffleRanks(int first, int last);
    void moveWithin(int rank, int v, int place);
    void movePath(int gap, int first, int last);

    std::span<int> row(int rank)
    {
        return {m_order.data() + m_graph.rankStart[rank], std::size_t(m_graph.rankSize(rank))};
    }

    const LayerGraph& m_graph;
    Work& m_work;
    Random m_random;
    std::vector<int> m_order;    // rank by rank, as in LayerGraph::rankStart
    std::vector<int> m_position; // within the rank
    std::vector<int> m_best;
    std::vector<Block> m_blocks;
    std::vector<std::int64_t> m_gap; // crossings between rank g and g + 1
    std::vector<std::uint8_t> m_dirty;
    std::vector<std::uint8_t> m_candidate;
    std::vector<int> m_filled; // per rank, while a start is made
    std::vector<std::uint8_t> m_visited;
    std::vector<int> m_counter;
    std::vector<int> m_scratch;
    std::vector<int> m_scratch2;
    std::vector<Keyed> m_keyed;
};

} // namespace lapidary::layered
