// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/targets/kernel_classes.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The kernels that a build of TensorFlow must contain to run some graphs.
struct NeededKernels {
    // Op and the class of its kernel; no class for an op that runs without (AccumulateNV2).
    std::set<std::pair<std::string, std::string>> pairs;
    // Classes and the types that they are needed for, as they were registered.
    std::map<std::string, std::string> typesOf;
    // The op of every node, in order, that has no kernel in TensorFlow 1.15.
    std::vector<std::string> missing;

    std::set<std::string> ops() const;
};

// Adds what the nodes of a graph need, and what those of the functions that they call need.
void addNeeded(const Graph& graph, const KernelClasses& kernels, NeededKernels& needed);

} // namespace lapidary
