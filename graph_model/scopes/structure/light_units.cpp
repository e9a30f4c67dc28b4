// SPDX-License-Identifier: Apache-2.0
// Decides which of the light units between two heavy ones belong to the left one and which to the
// right one, by the sequences that usually follow or precede a unit of that family, and by the
// purpose of an op: a bias belongs to the left, padding to the right.
#include "graph_model/scopes/structure/assemble.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary::structure {
namespace {

constexpr std::size_t farthest = 24;
constexpr double aloneGain = 0.5;

class Joiner {
public:
    Joiner(const Sequence& sequence, bool isChain, Assembly& assembly)
        : m_sequence(sequence)
        , m_isChain(isChain)
        , m_assembly(assembly)
    {
    }

    void run()
    {
        const std::vector<std::uint32_t> top = m_assembly.top;
        for (std::size_t i = 0; i < top.size(); ++i)
            if (unit(top[i]).isHeavy)
                m_heavy.push_back(i);
        if (m_heavy.empty())
            return;
        countNeighbors(top);
        std::vector<Split> splits = splitAll(top);
        // A second round uses the neighbors that each heavy unit took in the first one: a string
        // that usually follows one unit does not count as preceding the next.
        countTaken(top, splits);
        splits = splitAll(top);
        joinAll(top, splits);
    }

private:
    const Unit& unit(std::uint32_t id) const { return m_assembly.pool[id]; }

    void close(std::vector<std::uint32_t>& parts, std::vector<std::uint32_t>& result)
    {
        if (parts.size() == 1)
            result.push_back(parts.front());
        else if (!parts.empty())
            result.push_back(addUnit(m_assembly, Way::Sequence, parts));
        parts.clear();
    }

    void addAlone(const std::vector<std::uint32_t>& units, std::vector<std::uint32_t>& result)
    {
        if (units.size() > 3)
            result.push_back(addUnit(m_assembly, Way::Light, units));
        else
            result.insert(result.end(), units.begin(), units.end());
    }

    struct Split { // numbers of light units that join the heavy one at each side
        std::ptrdiff_t left = 0;
        std::ptrdiff_t right = 0;
    };
    using Units = std::vector<std::uint32_t>;

    std::size_t gapBegin(std::size_t h) const { return h == 0 ? 0 : m_heavy[h - 1] + 1; }
    std::size_t gapEnd(const Units& top, std::size_t h) const
    {
        return h < m_heavy.size() ? m_heavy[h] : top.size();
    }
    Units gap(const Units& top, std::size_t h) const
    {
        return {top.begin() + std::ptrdiff_t(gapBegin(h)),
                top.begin() + std::ptrdiff_t(gapEnd(top, h))};
    }

    std::vector<Split> splitAll(const Units& top) const
    {
        std::vector<Split> splits;
        for (std::size_t h = 0; h <= m_heavy.size(); ++h)
            splits.push_back(split(h > 0 ? top[m_heavy[h - 1]] : none,
                                   h < m_heavy.size() ? top[m_heavy[h]] : none, gap(top, h)));
        return splits;
    }

    void joinAll(const Units& top, const std::vector<Split>& splits)
    {
        Units result;
        Units current; // the units that are joined so far
        for (std::size_t h = 0; h <= m_heavy.size(); ++h) {
            const Units between = gap(top, h);
            const auto [left, right] = splits[h];
            current.insert(current.end(), between.begin(), between.begin() + left);
            close(current, result);
            addAlone({between.begin() + left, between.end() - right}, result);
            current.assign(between.end() - right, between.end());
            if (h < m_heavy.size())
                current.push_back(top[m_heavy[h]]);
        }
        close(current, result);
        m_assembly.top = std::move(result);
    }

    void countTaken(const Units& top, const std::vector<Split>& splits)
    {
        m_strings.clear();
        for (std::size_t h = 0; h <= m_heavy.size(); ++h) {
            const Units between = gap(top, h);
            if (h > 0) {
                std::uint64_t after = mixHash(unit(top[m_heavy[h - 1]]).family, 1);
                for (std::ptrdiff_t i = 0; i < splits[h].left; ++i)
                    ++m_strings[after = mixHash(after, unit(between[std::size_t(i)]).label)];
            }
            if (h < m_heavy.size()) {
                std::uint64_t before = mixHash(unit(top[m_heavy[h]]).family, 2);
                for (std::ptrdiff_t i = 0; i < splits[h].right; ++i)
                    ++m_strings[before = mixHash(
                                    before,
                                    unit(between[between.size() - 1 - std::size_t(i)]).label)];
            }
        }
    }

    // Counts how often each sequence of light units follows, and precedes, each family.
    void countNeighbors(const std::vector<std::uint32_t>& top)
    {
        for (const std::size_t h : m_heavy) {
            const std::uint64_t family = unit(top[h]).family;
            ++m_families[family];
            std::uint64_t after = mixHash(family, 1);
            for (std::size_t i = 1; i <= farthest && h + i < top.size(); ++i) {
                if (unit(top[h + i]).isHeavy)
                    break;
                after = mixHash(after, unit(top[h + i]).label);
                ++m_strings[after];
            }
            std::uint64_t before = mixHash(family, 2);
            for (std::size_t i = 1; i <= farthest && i <= h; ++i) {
                if (unit(top[h - i]).isHeavy)
                    break;
                before = mixHash(before, unit(top[h - i]).label);
                ++m_strings[before];
            }
        }
    }

    // Returns the fraction of the family's other units that have this sequence beside them.
    double share(std::uint64_t family, std::uint64_t string, std::size_t i) const
    {
        const int count = m_families.at(family);
        if (count < 2)
            return 0.6 - 0.02 * double(i);
        const auto found = m_strings.find(string);
        const int others = found == m_strings.end() ? 0 : found->second - 1;
        return double(std::max(others, 0)) / (count - 1);
    }

    double useOnLeft(std::uint32_t position) const
    {
        if (m_sequence.isActivation[position])
            return 0.3;
        switch (m_sequence.side[position]) {
        case LayerSide::After: return 0.15;
        case LayerSide::Before: return -0.05;
        default: return 0.08;
        }
    }

    double useOnRight(std::uint32_t position) const
    {
        if (m_sequence.isActivation[position])
            return -0.5;
        switch (m_sequence.side[position]) {
        case LayerSide::After: return -0.01;
        case LayerSide::Before: return 0.12;
        default: return 0.0;
        }
    }

    // Returns, for each t, the gain of joining the first t units on the left, minus their gains
    // alone.
    std::vector<double> leftGains(std::uint32_t heavy,
                                  const std::vector<std::uint32_t>& units) const
    {
        std::vector<double> sums{0.0};
        if (heavy == none)
            return sums;
        std::uint64_t string = mixHash(unit(heavy).family, 1);
        Stretch reach = unit(heavy).stretch;
        for (std::size_t i = 0; i < units.size() && i < farthest; ++i) {
            const Unit& light = unit(units[i]);
            if (!m_isChain && !isWired(m_sequence, reach, light.stretch))
                break;
            reach.end = light.stretch.end;
            string = mixHash(string, light.label);
            const double use = useOnLeft(light.stretch.begin);
            sums.push_back(sums.back() + share(unit(heavy).family, string, i + 1) + use -
                           aloneGain);
        }
        return sums;
    }

    std::vector<double> rightGains(std::uint32_t heavy,
                                   const std::vector<std::uint32_t>& units) const
    {
        std::vector<double> sums{0.0};
        if (heavy == none)
            return sums;
        std::uint64_t string = mixHash(unit(heavy).family, 2);
        Stretch reach = unit(heavy).stretch;
        for (std::size_t i = 0; i < units.size() && i < farthest; ++i) {
            const Unit& light = unit(units[units.size() - 1 - i]);
            if (!m_isChain && !isWired(m_sequence, light.stretch, reach))
                break;
            reach.begin = light.stretch.begin;
            string = mixHash(string, light.label);
            const double use = useOnRight(light.stretch.end);
            sums.push_back(sums.back() + share(unit(heavy).family, string, i + 1) + use -
                           aloneGain);
        }
        return sums;
    }

    // Returns the numbers of units that join the left and the right heavy unit.
    Split split(std::uint32_t left, std::uint32_t right,
                const std::vector<std::uint32_t>& units) const
    {
        const std::vector<double> leftSums = leftGains(left, units);
        const std::vector<double> rightSums = rightGains(right, units);
        Split best;
        double bestGain = 0.0;
        for (std::size_t t = 0; t < leftSums.size(); ++t)
            for (std::size_t u = 0; u < rightSums.size() && t + u <= units.size(); ++u)
                if (leftSums[t] + rightSums[u] > bestGain + 1e-9) {
                    bestGain = leftSums[t] + rightSums[u];
                    best = {std::ptrdiff_t(t), std::ptrdiff_t(u)};
                }
        return best;
    }

    const Sequence& m_sequence;
    bool m_isChain;
    Assembly& m_assembly;
    std::vector<std::size_t> m_heavy; // positions in the row of units
    std::unordered_map<std::uint64_t, int> m_families;
    std::unordered_map<std::uint64_t, int> m_strings;
};

} // namespace

void joinLightUnits(const Sequence& sequence, bool isChain, Assembly& assembly)
{
    Joiner(sequence, isChain, assembly).run();
}

} // namespace lapidary::structure
