// SPDX-License-Identifier: Apache-2.0
#include "graph_model/check/components.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::uint32_t unvisited = std::numeric_limits<std::uint32_t>::max();

// Tarjan's algorithm with an explicit stack of (node, next link) instead of recursion.
class Tarjan {
public:
    explicit Tarjan(const Links& links)
        : m_links(links)
        , m_index(links.size(), unvisited)
        , m_low(links.size(), 0)
        , m_onStack(links.size(), false)
    {
    }

    std::vector<std::vector<std::uint32_t>> run()
    {
        for (std::uint32_t node = 0; node < m_links.size(); ++node)
            if (m_index[node] == unvisited)
                visitFrom(node);
        std::ranges::sort(m_components);
        return std::move(m_components);
    }

private:
    struct Frame {
        std::uint32_t node = 0;
        std::uint32_t next = 0;
    };

    void enter(std::uint32_t node)
    {
        m_index[node] = m_low[node] = m_count++;
        m_stack.push_back(node);
        m_onStack[node] = true;
        m_frames.push_back({node, m_links.start[node]});
    }

    void visitFrom(std::uint32_t root)
    {
        enter(root);
        while (!m_frames.empty()) {
            Frame& frame = m_frames.back();
            if (frame.next == m_links.start[frame.node + 1]) {
                leave(frame.node);
                continue;
            }
            const std::uint32_t node = frame.node;
            const std::uint32_t target = m_links.targets[frame.next++];
            if (m_index[target] == unvisited)
                enter(target); // invalidates `frame`
            else if (m_onStack[target])
                m_low[node] = std::min(m_low[node], m_index[target]);
        }
    }

    void leave(std::uint32_t node)
    {
        m_frames.pop_back();
        if (!m_frames.empty()) {
            std::uint32_t& low = m_low[m_frames.back().node];
            low = std::min(low, m_low[node]);
        }
        if (m_low[node] != m_index[node])
            return;
        const auto at = std::find(m_stack.rbegin(), m_stack.rend(), node).base() - 1;
        for (auto member = at; member != m_stack.end(); ++member)
            m_onStack[*member] = false;
        if (m_stack.end() - at > 1) {
            m_components.emplace_back(at, m_stack.end());
            std::ranges::sort(m_components.back());
        }
        m_stack.erase(at, m_stack.end());
    }

    const Links& m_links;
    std::vector<std::uint32_t> m_index;
    std::vector<std::uint32_t> m_low;
    std::vector<bool> m_onStack;
    std::vector<std::uint32_t> m_stack;
    std::vector<Frame> m_frames;
    std::vector<std::vector<std::uint32_t>> m_components;
    std::uint32_t m_count = 0;
};

} // namespace

std::vector<std::vector<std::uint32_t>> cyclicComponents(const Links& links)
{
    return Tarjan(links).run();
}

std::vector<std::uint32_t>
shortestCycle(const Links& links, const std::vector<std::uint32_t>& component, std::uint32_t node)
{
    std::unordered_map<std::uint32_t, std::uint32_t> cameFrom;
    std::vector<std::uint32_t> queue{node};
    for (std::size_t at = 0; at < queue.size() && !cameFrom.contains(node); ++at) {
        const std::uint32_t from = queue[at];
        for (std::uint32_t i = links.start[from]; i < links.start[from + 1]; ++i) {
            const std::uint32_t to = links.targets[i];
            if (std::ranges::binary_search(component, to) && cameFrom.try_emplace(to, from).second)
                queue.push_back(to);
        }
    }
    std::vector<std::uint32_t> cycle;
    if (!cameFrom.contains(node))
        return cycle;
    for (std::uint32_t at = cameFrom[node]; at != node; at = cameFrom[at])
        cycle.push_back(at);
    cycle.push_back(node);
    std::ranges::reverse(cycle);
    return cycle;
}

} // namespace lapidary
