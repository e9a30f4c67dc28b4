// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/graph/stored_scales.h"
#include "graph_model/shapes/declared_shapes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

// The declarations of a file of another format for the tensors of a graph, read once per node: an
// operator stores them for all of its outputs together, and any number of operators may read one of
// them.
class StoredTensors {
public:
    explicit StoredTensors(const Graph& graph)
        : m_graph(graph)
    {
    }

    // References and pointers stay valid.
    const TensorFacts& facts(Endpoint tensor);
    // Returns the scales of a tensor's codes; null if the file has numbers there.
    const StoredScales* scales(Endpoint tensor);

private:
    const Graph& m_graph;
    std::unordered_map<std::uint32_t, std::vector<TensorFacts>> m_facts; // by node
    std::map<std::pair<std::uint32_t, std::int32_t>, std::optional<StoredScales>> m_scales;
};

} // namespace lapidary
