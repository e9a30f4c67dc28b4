// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace lapidary {

// Estimates the work of a run from what its nodes compute, so that the estimate is the same on
// every machine, whatever else it does: the floating-point operations, and for each node and each
// element that it writes as many operations as a processor does in the same time.
class SampleWork {
public:
    explicit SampleWork(const Graph& graph)
        : m_graph(graph)
    {
    }

    // Adds the execution of a node; one that runs later may read the tensors.
    void add(const NodeRun& run, std::span<const Value> outputs);
    double operations() const { return m_operations; }

private:
    double flops(NodeId id, std::span<const Value> outputs) const;

    const Graph& m_graph;
    std::unordered_map<std::uint32_t, std::vector<Shape>> m_shapes; // of the outputs, by node
    double m_operations = 0;
};

} // namespace lapidary
