// SPDX-License-Identifier: Apache-2.0
// Repeated neighbors: equal ones become a run, the most frequent pair a sequence, until the row is
// short or nothing repeats (RE-PAIR, Larsson and Moffat 2000; here wiring and op roles affect the
// choice).
#include "graph_model/scopes/structure/assemble.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace lapidary::structure {
namespace {

constexpr std::size_t shortRow = 4;
constexpr int mostRounds = 60;
constexpr std::size_t longRow = 200;
constexpr std::size_t mostFlattened = 24;

class Pairer {
public:
    Pairer(const Sequence& sequence, Assembly& assembly)
        : m_sequence(sequence)
        , m_assembly(assembly)
        , m_row(assembly.top)
    {
    }

    void run()
    {
        m_limit = m_row.size() > longRow ? m_row.size() / 100 : 0;
        for (std::size_t i = 0; i < m_row.size(); ++i)
            m_wired.push_back(i > 0 && wired(m_row[i - 1], m_row[i]));
        for (int round = 0; round < mostRounds && m_row.size() > shortRow; ++round) {
            if (joinRuns())
                continue;
            const std::uint64_t best = bestPair();
            if (best == 0)
                break;
            joinPairs(best);
        }
        joinVariants();
        m_assembly.top = m_row;
        flatten();
    }

private:
    const Unit& unit(std::uint32_t id) const { return m_assembly.pool[id]; }

    bool wired(std::uint32_t a, std::uint32_t b) const
    {
        return isWired(m_sequence, unit(a).stretch, unit(b).stretch);
    }

    // Replaces row[i..i+count) by one unit at the end of `row`.
    void take(std::size_t i, std::size_t count, Way way, std::vector<std::uint32_t>& row,
              std::vector<bool>& wires)
    {
        const std::vector<std::uint32_t> parts(m_row.begin() + std::ptrdiff_t(i),
                                               m_row.begin() + std::ptrdiff_t(i + count));
        const std::uint32_t joined = addUnit(m_assembly, way, parts);
        m_assembly.pool[joined].isPair = way == Way::Sequence;
        const bool isFirst = row.empty();
        row.push_back(joined);
        wires.push_back(!isFirst && (m_wired[i] || wired(row[row.size() - 2], joined)));
    }

    void keep(std::size_t i, std::vector<std::uint32_t>& row, std::vector<bool>& wires)
    {
        const bool wasJoined = !row.empty() && i > 0 && row.back() != m_row[i - 1];
        wires.push_back(!row.empty() && (m_wired[i] || (wasJoined && wired(row.back(), m_row[i]))));
        row.push_back(m_row[i]);
    }

    bool joinRuns()
    {
        std::vector<std::uint32_t> row;
        std::vector<bool> wires;
        bool any = false;
        for (std::size_t i = 0; i < m_row.size();) {
            std::size_t count = 1;
            while (i + count < m_row.size() && unit(m_row[i]).stretch.length() > 1 &&
                   unit(m_row[i + count]).label == unit(m_row[i]).label)
                ++count;
            if (count > 1) {
                take(i, count, Way::Run, row, wires);
                any = true;
            } else {
                keep(i, row, wires);
            }
            i += count;
        }
        m_row = std::move(row);
        m_wired = std::move(wires);
        return any;
    }

    std::uint64_t keyOf(std::size_t i) const // for the pair i, i+1; 0: not a candidate
    {
        const Unit& x = unit(m_row[i]);
        const Unit& y = unit(m_row[i + 1]);
        return x.label == y.label || !m_wired[i + 1] ? 0 : mixHash(x.label, y.label) | 1;
    }

    // Returns a lower weight for pairs whose second unit looks like a beginning.
    double weight(std::uint32_t second) const
    {
        const std::uint32_t at = unit(second).stretch.begin;
        const int startsBlock = m_sequence.readsHub[at] ? 2 : 0;
        return 1.0 - 0.15 * std::max(0, startsBlock - int(m_sequence.side[at]));
    }

    std::uint64_t bestPair() const
    {
        struct Candidate {
            std::size_t count = 0;
            std::size_t first = 0;
            std::size_t equal = 0;
        };
        std::unordered_map<std::uint64_t, Candidate> pairs;
        for (std::size_t i = 0; i + 1 < m_row.size(); ++i)
            if (const std::uint64_t key = keyOf(i); key != 0)
                if (Candidate& pair = pairs[key]; pair.count++ == 0)
                    pair.first = i;
        double best = 0.0;
        for (const auto& [key, pair] : pairs)
            if (pair.count >= 2 && pair.count >= m_limit)
                best = std::max(best, double(pair.count) * weight(m_row[pair.first + 1]));
        if (best == 0.0)
            return 0;
        // Breaks ties: the pair with most occurrences with equal attributes wins, then the first
        // one.
        std::unordered_map<std::uint64_t, std::size_t> details;
        std::uint64_t winner = 0;
        Candidate winning;
        for (std::size_t i = 0; i + 1 < m_row.size(); ++i) {
            const std::uint64_t key = keyOf(i);
            if (key == 0)
                continue;
            Candidate& pair = pairs[key];
            if (pair.count < 2 || double(pair.count) * weight(m_row[pair.first + 1]) < best - 1e-9)
                continue;
            const std::uint64_t detail =
                mixHash(key, mixHash(unit(m_row[i]).detail, unit(m_row[i + 1]).detail));
            pair.equal = std::max(pair.equal, ++details[detail]);
            if (winner == 0 || pair.equal > winning.equal ||
                (pair.equal == winning.equal && pair.first < winning.first)) {
                winner = key;
                winning = pair;
            }
        }
        return winner;
    }

    // Joins sequences that differ from a repeated pair only in light ops in the same way.
    void joinVariants()
    {
        std::unordered_set<std::uint64_t> known;
        for (const Unit& pair : m_assembly.pool)
            if (pair.isPair && pair.isHeavy)
                known.insert(mixHash(unit(pair.parts[0]).family, unit(pair.parts[1]).family));
        joinWhere([&](std::size_t i) {
            return m_wired[i + 1] &&
                   known.contains(mixHash(unit(m_row[i]).family, unit(m_row[i + 1]).family));
        });
    }

    void joinPairs(std::uint64_t wanted)
    {
        joinWhere([&](std::size_t i) { return keyOf(i) == wanted; });
    }

    // Joins a unit with the next one if `joined` is true for its index.
    template <typename Joined>
    void joinWhere(Joined joined)
    {
        std::vector<std::uint32_t> row;
        std::vector<bool> wires;
        for (std::size_t i = 0; i < m_row.size();) {
            const bool joins = i + 1 < m_row.size() && joined(i);
            if (joins)
                take(i, 2, Way::Sequence, row, wires);
            else
                keep(i, row, wires);
            i += joins ? 2 : 1;
        }
        m_row = std::move(row);
        m_wired = std::move(wires);
    }

    // Dissolves sequences that occur only as a part of one larger sequence.
    void flatten()
    {
        constexpr std::uint64_t several = 1;
        std::unordered_map<std::uint64_t, std::uint64_t> parentOf; // by label
        const auto use = [&](std::uint32_t part, std::uint64_t by) {
            if (!unit(part).isPair)
                return;
            const auto [found, isNew] = parentOf.try_emplace(unit(part).label, by);
            if (!isNew && found->second != by)
                found->second = several;
        };
        for (const std::uint32_t id : m_assembly.top)
            use(id, several);
        std::vector<std::uint32_t> open = m_assembly.top;
        for (std::size_t i = 0; i < open.size(); ++i)
            for (const std::uint32_t part : unit(open[i]).parts) {
                use(part, unit(open[i]).isPair ? unit(open[i]).label : several);
                open.push_back(part);
            }
        // Inner units come later in `open`, so a backward walk flattens them first.
        for (std::size_t i = open.size(); i-- > 0;)
            if (unit(open[i]).isPair)
                flattenInto(open[i], parentOf);
    }

    void flattenInto(std::uint32_t id,
                     const std::unordered_map<std::uint64_t, std::uint64_t>& parentOf)
    {
        // Beside a run, a sequence is a separate block: one more of the repeated kind.
        for (const std::uint32_t part : unit(id).parts)
            if (unit(part).way == Way::Run)
                return;
        std::vector<std::uint32_t> parts;
        for (const std::uint32_t part : unit(id).parts) {
            const bool flat = unit(part).isPair && parentOf.at(unit(part).label) == unit(id).label;
            if (flat)
                parts.insert(parts.end(), unit(part).parts.begin(), unit(part).parts.end());
            else
                parts.push_back(part);
        }
        if (parts.size() <= mostFlattened)
            m_assembly.pool[id].parts = std::move(parts);
    }

    const Sequence& m_sequence;
    Assembly& m_assembly;
    std::vector<std::uint32_t> m_row;
    std::vector<bool> m_wired; // reads the previous unit
    std::size_t m_limit = 0;
};

} // namespace

void pairUnits(const Sequence& sequence, Assembly& assembly)
{
    Pairer(sequence, assembly).run();
}

} // namespace lapidary::structure
