// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary {

// A directed graph as lists of targets, one run for each node.
struct Links {
    std::vector<std::uint32_t> start{0}; // of each node's run in `targets`; one more at the end
    std::vector<std::uint32_t> targets;

    std::size_t size() const { return start.size() - 1; }
    void endNode() { start.push_back(std::uint32_t(targets.size())); }
};

// Strongly connected components of more than one node (Tarjan, without recursion), each sorted, in
// order of their first node. O(nodes + links).
std::vector<std::vector<std::uint32_t>> cyclicComponents(const Links& links);

// A shortest way from `node` along links back to itself that stays within `component` (sorted);
// `node` is its first element. Empty if there is none.
std::vector<std::uint32_t>
shortestCycle(const Links& links, const std::vector<std::uint32_t>& component, std::uint32_t node);

} // namespace lapidary
