// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary {

// A directed graph as lists of targets, one for each node.
struct Links {
    std::vector<std::uint32_t> start{0}; // of each node's list in `targets`, and the end
    std::vector<std::uint32_t> targets;

    std::size_t size() const { return start.size() - 1; }
    void endNode() { start.push_back(std::uint32_t(targets.size())); }
};

// Returns the strongly connected components of more than one node (Tarjan, without recursion), each
// sorted, in order of their first node. O(nodes + links).
std::vector<std::vector<std::uint32_t>> cyclicComponents(const Links& links);

// Returns a shortest path from `node` along links back to itself within `component` (sorted),
// beginning with `node`. Empty if there is none.
std::vector<std::uint32_t>
shortestCycle(const Links& links, const std::vector<std::uint32_t>& component, std::uint32_t node);

} // namespace lapidary
