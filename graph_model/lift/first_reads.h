// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstdint>
#include <map>
#include <string_view>

namespace lapidary {

// Finds reads of TFLite's variables that get the initial value: an operator sets it, and no
// operator that runs before the read sets it again. O(operators of the graph and of the graphs that
// it runs once).
class FirstReads {
public:
    explicit FirstReads(const Graph& graph);
    bool contains(NodeId reader) const;

private:
    static constexpr std::uint32_t never = UINT32_MAX;

    const Graph& m_graph;
    std::map<std::string_view, std::uint32_t> m_assigned; // by name: first operator that sets it
    std::uint32_t m_set = never;     // the first operator that sets all variables to 0
    std::uint32_t m_unknown = never; // the first operator that sets variables to something else
};

} // namespace lapidary
