// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/layer_graph.h"

#include <algorithm>
#include <tuple>

namespace lapidary::layered {
namespace {

// Source, lane, and the chain's own number if it shares nothing.
using Key = std::tuple<int, int, int>;

Key keyOf(const LayerGraph::Chain& chain, int index)
{
    return {chain.upper, chain.lane, chain.lane < 0 ? index : -1};
}

} // namespace

DummyCount countDummies(const std::vector<LayerGraph::Chain>& chains, const std::vector<int>& rank)
{
    DummyCount count;
    std::vector<std::pair<Key, int>> spans;
    for (std::size_t c = 0; c < chains.size(); ++c) {
        const int inner = rank[chains[c].lower] - rank[chains[c].upper] - 1;
        count.own += inner;
        spans.emplace_back(keyOf(chains[c], int(c)), inner);
    }
    std::ranges::sort(spans);
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (i + 1 == spans.size() || spans[i + 1].first != spans[i].first)
            count.shared += spans[i].second;
    return count;
}

void addDummies(LayerGraph& graph, bool shared)
{
    std::vector<int> byKey(graph.chains.size());
    for (std::size_t c = 0; c < byKey.size(); ++c)
        byKey[c] = int(c);
    if (shared)
        std::ranges::stable_sort(byKey, {}, [&](int c) { return keyOf(graph.chains[c], c); });
    Key lastKey{-1, -1, -1};
    std::vector<int> lane; // dummies of the current source, from the rank after its own on
    for (const int c : byKey) {
        LayerGraph::Chain& chain = graph.chains[c];
        const Key key = keyOf(chain, c);
        if (!shared || key != lastKey)
            lane.clear();
        lastKey = key;
        chain.path.assign(1, chain.upper);
        for (int r = graph.rank[chain.upper] + 1; r < graph.rank[chain.lower]; ++r) {
            const std::size_t i = chain.path.size() - 1;
            if (i == lane.size()) {
                lane.push_back(graph.size());
                graph.rank.push_back(r);
            }
            chain.path.push_back(lane[i]);
        }
        chain.path.push_back(chain.lower);
    }
    connect(graph);
}

void connect(LayerGraph& graph)
{
    std::vector<std::pair<int, int>> links;
    std::vector<std::uint8_t> linked(std::size_t(graph.size()));
    for (const LayerGraph::Chain& chain : graph.chains) {
        for (std::size_t i = 0; i + 1 < chain.path.size(); ++i) {
            const int to = chain.path[i + 1];
            if (to >= graph.real && linked[to])
                continue; // the link of a shared lane already exists
            linked[to] = 1;
            links.emplace_back(chain.path[i], to);
        }
    }
    const int count = int(links.size());
    const auto upper = [&](int i) { return links[i].first; };
    const auto lower = [&](int i) { return links[i].second; };
    graph.down = Lists::make(graph.size(), count, upper, lower);
    graph.up = Lists::make(graph.size(), count, lower, upper);
    const int ranks =
        graph.rank.empty() ? 0 : *std::max_element(graph.rank.begin(), graph.rank.end()) + 1;
    graph.rankStart.assign(std::size_t(ranks) + 1, 0);
    for (const int r : graph.rank)
        ++graph.rankStart[r + 1];
    for (int r = 0; r < ranks; ++r)
        graph.rankStart[r + 1] += graph.rankStart[r];
}

LayerGraph mergeLanes(const LayerGraph& graph, std::vector<int>& order)
{
    std::vector<int> laneOf(std::size_t(graph.size()), -1);
    for (const LayerGraph::Chain& chain : graph.chains)
        for (std::size_t i = 1; i + 1 < chain.path.size(); ++i)
            laneOf[chain.path[i]] = chain.lane;
    LayerGraph merged;
    merged.real = graph.real;
    merged.rank.assign(graph.rank.begin(), graph.rank.begin() + graph.real);
    merged.fixedTop = graph.fixedTop;
    merged.fixedBottom = graph.fixedBottom;
    std::vector<int> now(std::size_t(graph.size()), -1);
    std::vector<int> newOrder;
    newOrder.reserve(order.size());
    const auto source = [&](int v) { return now[graph.up.of(v).front()]; };
    for (int r = 0; r < graph.ranks(); ++r) {
        int previous = -1; // the dummy to the left
        for (int i = graph.rankStart[r]; i < graph.rankStart[r + 1]; ++i) {
            const int v = order[i];
            const bool isDummy = v >= graph.real;
            if (isDummy && previous >= 0 && laneOf[v] >= 0 && laneOf[previous] == laneOf[v] &&
                source(previous) == source(v)) {
                now[v] = now[previous];
            } else {
                now[v] = isDummy ? merged.size() : v;
                if (isDummy)
                    merged.rank.push_back(r);
                newOrder.push_back(now[v]);
            }
            previous = isDummy ? v : -1;
        }
    }
    merged.chains = graph.chains;
    for (LayerGraph::Chain& chain : merged.chains)
        for (int& v : chain.path)
            v = now[v];
    connect(merged);
    order = std::move(newOrder);
    return merged;
}

} // namespace lapidary::layered
