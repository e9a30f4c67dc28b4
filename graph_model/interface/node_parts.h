// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/graph/node_flags.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary {

// The purpose of a node. A graph that was exported for inference is all Network, except for
// leftovers.
enum class Part : std::uint8_t {
    Network,   // leads from feeds to a result, or has weights that do
    Loss,      // judges results: losses, measures, and the preparation of their labels
    Gradients, // carries the loss back to the weights
    Optimizer, // changes weights, with its own variables and rates
    Pipeline,  // reads, decodes and queues examples, up to the op that delivers them
    Saving,    // saves, restores and initializes
    Summaries, // for people and for safety: summaries, assertions
};
inline constexpr std::size_t partCount = 7;

std::string_view partName(Part part); // "loss and metrics"; for users

struct NodeParts {
    std::vector<Part> of; // by node
    std::array<std::uint32_t, partCount> counts{};

    std::uint32_t count(Part part) const { return counts[std::size_t(part)]; }
    bool isDivided() const { return count(Part::Network) < of.size(); }
};
using NodePartsPtr = std::shared_ptr<const NodeParts>;

// Determines the part of every node by ops and wiring, not by names. `results`: the known outputs
// of the model. O(nodes + edges).
NodeParts nodeParts(const Graph& graph, std::span<const NodeId> results);

// Returns the nodes that carry gradients to the weights that a graph trains; none if it trains
// nothing, because a gradient is then a result like any other.
NodeFlags trainingGradients(const Graph& graph);

} // namespace lapidary
