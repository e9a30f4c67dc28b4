// SPDX-License-Identifier: Apache-2.0
// Folds nodes that depend on only one element: cones of readers that lead nowhere else, and in the
// backward half sources with one reader.
#include "graph_model/scopes/structure/level.h"

#include <algorithm>

namespace lapidary::structure {
namespace {

constexpr std::size_t largestCone = 40;
constexpr std::size_t mostForks = 64; // limit of readers examined after one element

class ConeFolder {
public:
    explicit ConeFolder(Level& level)
        : m_level(level)
        , m_stamp(level.size(), 0)
    {
    }

    void run()
    {
        foldSources();
        for (const std::uint32_t e : m_level.topological)
            if (m_level.isAtom(e))
                foldFork(e);
    }

private:
    bool joins(std::uint32_t source, std::uint32_t reader) const
    {
        return m_level.isAtom(source) && m_level.isAtom(reader) && m_level.sameHalf(source, reader);
    }

    // Returns the distinct readers in the same half, in order of first use.
    std::vector<std::uint32_t> readersOf(std::uint32_t e, std::size_t limit) const
    {
        std::vector<std::uint32_t> readers;
        for (const std::uint32_t reader : m_level.readers[e])
            if (joins(e, reader) && std::ranges::find(readers, reader) == readers.end()) {
                if (readers.size() == limit)
                    return {};
                readers.push_back(reader);
            }
        return readers;
    }

    void foldSources()
    {
        std::vector<std::size_t> open(m_level.size(), 0); // wires that a reader still waits for
        for (std::uint32_t e = 0; e < m_level.size(); ++e)
            for (const Wire& wire : m_level.inputs[e])
                open[e] += joins(wire.source, e);
        for (const std::uint32_t e : m_level.topological) {
            if (!m_level.isAtom(e) || !m_level.isBackward[e] || open[e] > 0)
                continue;
            const std::vector<std::uint32_t> readers = readersOf(e, 1);
            if (readers.empty())
                continue;
            const auto own = std::size_t(std::ranges::count(m_level.readers[e], readers.front()));
            if (open[readers.front()] <= own)
                continue;
            open[readers.front()] -= own;
            m_level.foldedInto[e] = readers.front();
        }
    }

    // Returns the elements below `first` if everything they read is in the cone or `base`;
    // otherwise nothing.
    std::vector<std::uint32_t> coneBelow(std::uint32_t base, std::uint32_t first)
    {
        for (const Wire& wire : m_level.inputs[first]) // none of them can be from its own cone
            if (wire.source != base && joins(wire.source, first))
                return {};
        ++m_round;
        m_stamp[base] = m_stamp[first] = m_round;
        std::vector<std::uint32_t> cone{first};
        for (std::size_t next = 0; next < cone.size(); ++next) {
            if (!m_level.isBackward[cone[next]] && m_level.traits(cone[next]).isAnchor)
                return {};
            for (const std::uint32_t reader : m_level.readers[cone[next]]) {
                if (m_stamp[reader] == m_round || !joins(cone[next], reader))
                    continue;
                if (cone.size() == largestCone)
                    return {};
                m_stamp[reader] = m_round;
                cone.push_back(reader);
            }
        }
        for (const std::uint32_t e : cone)
            for (const Wire& wire : m_level.inputs[e])
                if (m_stamp[wire.source] != m_round && joins(wire.source, e))
                    return {};
        return cone;
    }

    void foldFork(std::uint32_t base)
    {
        const std::vector<std::uint32_t> readers = readersOf(base, mostForks);
        if (readers.size() < 2)
            return;
        std::vector<std::vector<std::uint32_t>> cones;
        std::size_t largest = 0;
        std::size_t largestAt = 0;
        for (const std::uint32_t reader : readers) {
            cones.push_back(coneBelow(base, reader));
            if (cones.back().size() > largest) {
                largest = cones.back().size();
                largestAt = cones.size() - 1;
            }
        }
        const bool all = std::ranges::none_of(cones, [](const auto& cone) { return cone.empty(); });
        for (std::size_t i = 0; i < cones.size(); ++i) {
            if (all && (i == largestAt || (cones[i].size() * 2 > largest && cones[i].size() > 3)))
                continue;
            for (const std::uint32_t e : cones[i])
                m_level.foldedInto[e] = base;
        }
    }

    Level& m_level;
    std::vector<std::uint32_t> m_stamp;
    std::uint32_t m_round = 0;
};

} // namespace

void foldSideCones(Level& level)
{
    ConeFolder(level).run();
}

} // namespace lapidary::structure
