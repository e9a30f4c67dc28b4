// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/build.h"

#include <algorithm>
#include <map>

namespace lapidary::structure {
namespace {

// limit of an item's inputs, and of each input's readers, to place the item by its inputs
constexpr std::size_t mostConsumers = 12;
constexpr std::size_t fewShared = 2;  // up to this many items need no box of their own
constexpr std::size_t fewOrdered = 8; // same

class Placer {
public:
    Placer(const Flow& flow, const Contexts& contexts, const std::vector<bool>& isBackward,
           std::vector<std::uint32_t>& places, BoxTree& tree)
        : m_flow(flow)
        , m_contexts(contexts)
        , m_isBackward(isBackward)
        , m_places(places)
        , m_tree(tree)
        , m_isShared(flow.size(), false)
        , m_isOrdered(flow.size(), false)
        , m_heavy(flow.size(), none)
    {
        linkBoxes();
    }

    void run()
    {
        const std::vector<std::uint32_t> order = readersFirst();
        std::vector<std::uint32_t> placed;
        for (const std::uint32_t item : order)
            if (placeByReaders(item))
                placed.push_back(item);
        const auto placeRest = [&](const Rows<Wire>& wires) {
            for (auto item = order.rbegin(); item != order.rend(); ++item)
                if (m_places[*item] == none && placeByInputs(*item, wires))
                    placed.push_back(*item);
        };
        placeRest(m_flow.inputs);
        placeRest(m_flow.inputs);
        const std::size_t byData = placed.size();
        placeRest(m_flow.controls);
        placeRest(m_flow.inputs);
        for (std::size_t i = byData; i < placed.size(); ++i)
            m_isOrdered[placed[i]] = true;
        std::sort(placed.begin(), placed.end());
        addToBoxes(placed);
        collectLoose();
    }

private:
    void linkBoxes()
    {
        m_parent.assign(m_tree.boxes.size(), none);
        m_depth.assign(m_tree.boxes.size(), 0);
        m_nesting.assign(m_tree.boxes.size(), 0);
        std::vector<std::uint32_t> open{0};
        for (std::size_t i = 0; i < open.size(); ++i)
            for (const Part& part : m_tree.boxes[open[i]].parts)
                if (part.isBox) {
                    m_parent[part.index] = open[i];
                    m_depth[part.index] = m_depth[open[i]] + 1;
                    const Way way = m_tree.boxes[part.index].way;
                    m_nesting[part.index] =
                        m_nesting[open[i]] + (way == Way::Loop || way == Way::Condition);
                    open.push_back(part.index);
                }
    }

    std::uint32_t lowestCommon(std::uint32_t a, std::uint32_t b) const
    {
        while (a != b) {
            std::uint32_t& deeper = m_depth[a] >= m_depth[b] ? a : b;
            deeper = m_parent[deeper];
        }
        return a;
    }

    // Moves a box outwards for a node that feeds a loop or condition from outside.
    std::uint32_t outOfContexts(std::uint32_t box, std::uint32_t item) const
    {
        while (m_nesting[box] > m_contexts.contexts[m_contexts.ofItem[item]].depth)
            box = m_parent[box];
        return box;
    }

    // Returns the items without a box, each after its readers.
    std::vector<std::uint32_t> readersFirst() const
    {
        std::vector<std::uint32_t> order;
        std::vector<bool> seen(m_flow.size(), false);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;
        for (std::uint32_t root = 0; root < m_flow.size(); ++root) {
            if (seen[root] || m_places[root] != none)
                continue;
            seen[root] = true;
            stack.emplace_back(root, 0);
            while (!stack.empty()) {
                const std::uint32_t at = stack.back().first;
                if (stack.back().second == m_flow.readers[at].size()) {
                    order.push_back(at);
                    stack.pop_back();
                    continue;
                }
                const std::uint32_t reader = m_flow.readers[at][stack.back().second++];
                if (!seen[reader] && m_places[reader] == none) {
                    seen[reader] = true;
                    stack.emplace_back(reader, 0);
                }
            }
        }
        return order;
    }

    bool placeByReaders(std::uint32_t item)
    {
        bool hasForward = false;
        for (const std::uint32_t reader : m_flow.readers[item])
            hasForward |= m_places[reader] != none && !m_isBackward[reader];
        std::uint32_t common = none;
        std::uint32_t heavy = none;
        std::uint32_t only = none;
        bool severalHeavy = false;
        bool several = false;
        for (const std::uint32_t reader : m_flow.readers[item]) {
            if (m_places[reader] == none || (hasForward && m_isBackward[reader]))
                continue;
            several |= only != none && only != reader;
            only = reader;
            common = common == none ? m_places[reader] : lowestCommon(common, m_places[reader]);
            // Follows reads: a variable belongs to the op whose weights it contains.
            if (const std::uint32_t target = heavyBehind(reader); target != none) {
                severalHeavy |= heavy != none && heavy != target;
                heavy = target;
            }
        }
        if (common == none)
            return false;
        const bool byHeavy = heavy != none && !severalHeavy;
        m_heavy[item] = byHeavy ? heavy : none;
        m_places[item] = outOfContexts(byHeavy ? m_places[heavy] : common, item);
        m_isShared[item] = several ? !byHeavy : bool(m_isShared[only]);
        return true;
    }

    std::uint32_t heavyBehind(std::uint32_t reader) const
    {
        return m_flow.traits(reader).isAnchor ? reader : m_heavy[reader];
    }

    bool placeByInputs(std::uint32_t item, const Rows<Wire>& wires)
    {
        std::uint32_t common = none;
        if (wires[item].size() > mostConsumers)
            return false;
        for (const Wire& wire : wires[item])
            if (m_places[wire.source] != none &&
                m_flow.readers[wire.source].size() <= mostConsumers)
                common = common == none ? m_places[wire.source]
                                        : lowestCommon(common, m_places[wire.source]);
        m_places[item] = common;
        return common != none;
    }

    void addToBoxes(const std::vector<std::uint32_t>& placed)
    {
        std::map<std::uint32_t, std::vector<std::uint32_t>> shared; // by box
        std::map<std::uint32_t, std::vector<std::uint32_t>> ordered;
        for (const std::uint32_t item : placed) {
            if (m_isShared[item])
                shared[m_places[item]].push_back(item);
            else if (m_isOrdered[item])
                ordered[m_places[item]].push_back(item);
            else
                m_tree.boxes[m_places[item]].parts.push_back({false, item});
        }
        addTogether(shared, Way::Shared, fewShared);
        addTogether(ordered, Way::Ordered, fewOrdered);
    }

    // Puts items of a kind into a box of their own, inside each box that has more than `few` of
    // them.
    void addTogether(const std::map<std::uint32_t, std::vector<std::uint32_t>>& itemsOf, Way way,
                     std::size_t few)
    {
        for (const auto& [box, items] : itemsOf) {
            std::uint32_t into = box;
            if (items.size() > few) {
                into = m_tree.add(way);
                m_tree.boxes[box].parts.push_back({true, into});
            }
            for (const std::uint32_t item : items)
                m_tree.boxes[into].parts.push_back({false, item});
        }
    }

    std::uint32_t cluster(std::uint32_t item)
    {
        while (m_cluster[item] != item)
            item = m_cluster[item] = m_cluster[m_cluster[item]];
        return item;
    }

    // Puts unconnected items into one box, with an inner box for each cluster of connected items.
    void collectLoose()
    {
        std::vector<std::uint32_t> loose;
        m_cluster.resize(m_flow.size());
        for (std::uint32_t i = 0; i < m_flow.size(); ++i) {
            m_cluster[i] = i;
            if (m_places[i] == none)
                loose.push_back(i);
        }
        if (loose.empty())
            return;
        for (const std::uint32_t item : loose)
            for (const Wire& wire : m_flow.inputs[item])
                if (m_places[wire.source] == none)
                    m_cluster[cluster(item)] = cluster(wire.source);
        const bool isAll = m_tree.boxes[0].parts.empty();
        std::uint32_t box = 0;
        if (!isAll) {
            box = m_tree.add(Way::Loose);
            m_tree.boxes[0].parts.push_back({true, box});
        }
        std::map<std::uint32_t, std::vector<std::uint32_t>> clusters;
        for (const std::uint32_t item : loose)
            clusters[cluster(item)].push_back(item);
        for (const auto& entry : clusters) {
            std::uint32_t into = box;
            if (entry.second.size() > 1 && clusters.size() > 1) {
                into = m_tree.add(Way::Leaf);
                m_tree.boxes[box].parts.push_back({true, into});
            }
            for (const std::uint32_t item : entry.second)
                m_tree.boxes[into].parts.push_back({false, item});
        }
    }

    const Flow& m_flow;
    const Contexts& m_contexts;
    const std::vector<bool>& m_isBackward;
    std::vector<std::uint32_t>& m_places;
    BoxTree& m_tree;
    std::vector<bool> m_isShared;
    std::vector<bool> m_isOrdered;      // placed by control edges, or by a node placed in this way
    std::vector<std::uint32_t> m_heavy; // the single op with weights that a parameter serves
    std::vector<std::uint32_t> m_parent;
    std::vector<std::uint32_t> m_depth;
    std::vector<std::uint32_t> m_nesting; // number of contexts around each box
    std::vector<std::uint32_t> m_cluster;
};

} // namespace

void placeParameters(const Flow& flow, const Contexts& contexts,
                     const std::vector<bool>& isBackward, std::vector<std::uint32_t>& places,
                     BoxTree& tree)
{
    Placer(flow, contexts, isBackward, places, tree).run();
}

} // namespace lapidary::structure
