// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/name_hints.h"
#include "graph_model/interface/node_parts.h"
#include "graph_model/interface/node_roles.h"

#include <optional>

namespace lapidary {

// One tensor with its points; reasons are in the order in which they were found.
struct Weighed {
    Candidate candidate;
    double points = 0;

    void weigh(double by, std::string reason)
    {
        points += by;
        candidate.reasons.push_back(std::move(reason));
    }
};

std::vector<Weighed> weighInputs(const Graph& graph, const NodeRoles& roles,
                                 const NodeParts& parts);
std::vector<Weighed> weighOutputs(const Graph& graph, const NodeRoles& roles,
                                  const NodeParts& parts);

// Returns "1 node", "2 nodes".
std::string nodesText(std::size_t count);

// Returns a candidate with name, dtype and declared shape of a node's output.
Candidate candidateFor(const Graph& graph, NodeId id, std::int32_t port);

// Counts the nodes that are reachable from `start` over data edges, forwards or backwards, itself
// included; constants and variables do not count.
enum class ReachDirection { ToReaders, ToInputs };
class ReachCounter {
public:
    explicit ReachCounter(const Graph& graph);
    // Returns nothing once all queries together took more work than a user should wait for.
    std::optional<std::size_t> count(NodeId start, ReachDirection direction);

private:
    const Graph& m_graph;
    std::vector<std::uint8_t> m_counts; // 1 for everything except constants and variables
    std::vector<std::uint32_t> m_seenBy;
    std::vector<NodeId> m_open;
    std::uint32_t m_stamp = 0;
    std::int64_t m_workLeft;
};

} // namespace lapidary
