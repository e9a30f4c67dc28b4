// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>

namespace lapidary {

// The expected differences: the names for each class of change ("added", "renamed", "dtype", ...).
using ExpectedChanges = std::map<std::string, std::set<std::string>>;

struct Mutation {
    std::string kind;
    GraphPtr graph; // null: this graph has no node for a change of the kind
    ExpectedChanges expected;
};

constexpr int mutationKinds = 13;
// Changes a random node in one way (0 to mutationKinds - 1).
Mutation mutate(const Graph& graph, int kind, std::mt19937_64& random);

// Returns the same nodes in another order.
GraphPtr shuffled(const Graph& graph, std::mt19937_64& random);

} // namespace lapidary
