// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/sequence.h"

#include <algorithm>

namespace lapidary::structure {
namespace {

class Orderer {
public:
    Orderer(const Level& level, bool backward)
        : m_level(level)
        , m_backward(backward)
        , m_isHub(level.size(), false)
    {
    }

    Sequence run()
    {
        rankSinks();
        order({});
        const std::vector<std::uint32_t> hubs = findHubs();
        if (!hubs.empty())
            order(hubs);
        return describe();
    }

private:
    bool isMember(std::uint32_t e) const
    {
        return m_level.isAtom(e) && m_level.isBackward[e] == m_backward;
    }

    // Finds the outputs, those of the longest path first.
    void rankSinks()
    {
        std::vector<std::uint32_t> height(m_level.size(), 0);
        for (const std::uint32_t e : m_level.topological) {
            if (!isMember(e))
                continue;
            for (const Wire& wire : m_level.inputs[e])
                if (isMember(wire.source))
                    height[e] = std::max(height[e], height[wire.source] + 1);
            if (std::ranges::none_of(m_level.readers[e],
                                     [&](std::uint32_t reader) { return isMember(reader); }))
                m_sinks.push_back(e);
        }
        std::stable_sort(m_sinks.begin(), m_sinks.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (height[a] != height[b])
                return height[a] > height[b];
            if (m_level.cone[a] != m_level.cone[b])
                return m_level.cone[a] < m_level.cone[b];
            return m_level.detail[a] < m_level.detail[b];
        });
    }

    void order(const std::vector<std::uint32_t>& first)
    {
        m_order.clear();
        m_position.assign(m_level.size(), none);
        for (const std::uint32_t e : first)
            visit(e);
        for (const std::uint32_t e : m_sinks)
            visit(e);
    }

    void visit(std::uint32_t root)
    {
        if (m_position[root] != none)
            return;
        constexpr std::uint32_t open = none - 1;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{{root, 0}};
        m_position[root] = open;
        while (!stack.empty()) {
            const std::uint32_t at = stack.back().first;
            const std::span<const Wire> wires = m_level.inputs[at];
            if (stack.back().second == wires.size()) {
                m_position[at] = std::uint32_t(m_order.size());
                m_order.push_back(at);
                stack.pop_back();
                continue;
            }
            const std::uint32_t source = wires[stack.back().second++].source;
            if (isMember(source) && m_position[source] == none) {
                m_position[source] = open;
                stack.emplace_back(source, 0);
            }
        }
    }

    std::vector<std::uint32_t> findHubs()
    {
        std::vector<std::uint64_t> ancestors(m_level.size(), 0); // in the tree, counting each path
        std::vector<std::uint32_t> hubs;
        const double n = double(m_order.size());
        for (const std::uint32_t e : m_order) {
            for (const Wire& wire : m_level.inputs[e])
                if (isMember(wire.source))
                    ancestors[e] = std::min<std::uint64_t>(
                        ancestors[e] + ancestors[wire.source] + 1, 1U << 20);
            std::uint32_t from = none;
            std::uint32_t to = 0;
            std::size_t consumers = 0;
            for (const std::uint32_t reader : m_level.readers[e])
                if (isMember(reader)) {
                    ++consumers;
                    from = std::min(from, m_position[reader]);
                    to = std::max(to, m_position[reader]);
                }
            if (consumers < 2)
                continue;
            const double span = to - from;
            const bool wide = consumers >= 6 && span > 0.3 * n && span > 40;
            const bool many = consumers >= 16 && span > 300;
            const bool early = span >= 0.4 * n && span >= 24 && ancestors[e] <= 30 &&
                               double(ancestors[e]) <= 0.1 * n;
            if (wide || many || early) {
                m_isHub[e] = true;
                hubs.push_back(e);
            }
        }
        return hubs;
    }

    std::uint64_t labelOf(std::uint32_t e, std::uint64_t hash) const
    {
        for (const Wire& wire : m_level.inputs[e]) {
            std::uint64_t kind = 0; // a port
            if (!m_level.isLive[wire.source])
                kind = 1; // a parameter
            else if (!m_level.sameHalf(wire.source, e))
                kind = 2;
            else if (!m_isHub[wire.source] && m_level.traits(wire.source).op != "Unpack")
                kind = 3 + std::uint64_t(std::uint32_t(wire.port));
            else
                kind = 3;
            hash = mixHash(hash, (std::uint64_t(wire.slot) << 34) + kind);
        }
        return hash;
    }

    Sequence describe() const
    {
        Sequence out;
        const auto n = std::uint32_t(m_order.size());
        std::vector<std::pair<std::uint32_t, Sequence::Input>> inputs;
        out.element = m_order;
        out.readsHub.assign(n, false);
        out.last.resize(n);
        for (std::uint32_t p = 0; p < n; ++p) {
            const std::uint32_t e = m_order[p];
            const OpTraits& traits = m_level.traits(e);
            out.label.push_back(labelOf(e, m_level.content[e]));
            out.family.push_back(labelOf(e, m_level.kind[e]));
            out.detail.push_back(mixHash(out.label.back(), m_level.detail[e]));
            out.anchor.push_back(traits.isAnchor ? m_level.kind[e] | 1 : 0);
            out.side.push_back(traits.side);
            out.isActivation.push_back(traits.isActivation);
            out.last[p] = p;
            for (const Wire& wire : m_level.inputs[e]) {
                const std::uint32_t source = m_position[wire.source];
                if (source >= n || source >= p)
                    continue;
                const bool isHub = m_isHub[wire.source];
                inputs.push_back({p, {source, isHub}});
                if (isHub)
                    out.readsHub[p] = true;
                else
                    out.last[source] = p;
            }
        }
        out.inputs = Rows<Sequence::Input>(n, inputs);
        measureWidths(out);
        return out;
    }

    static void measureWidths(Sequence& sequence)
    {
        const std::uint32_t n = sequence.size();
        std::vector<std::int32_t> change(n + 1, 0);
        for (std::uint32_t p = 0; p < n; ++p) {
            ++change[p];
            --change[sequence.last[p]];
        }
        std::int32_t live = 0;
        for (std::uint32_t p = 0; p < n; ++p) {
            live += change[p];
            sequence.width.push_back(std::uint32_t(live));
        }
    }

    const Level& m_level;
    bool m_backward;
    std::vector<bool> m_isHub;
    std::vector<std::uint32_t> m_sinks;
    std::vector<std::uint32_t> m_order;
    std::vector<std::uint32_t> m_position;
};

} // namespace

Sequence orderHalf(const Level& level, bool backward)
{
    return Orderer(level, backward).run();
}

} // namespace lapidary::structure
