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
    // Pairs of an op and the class of its kernel; the class is empty for an op that needs none
    // (AccumulateNV2).
    std::set<std::pair<std::string, std::string>> pairs;
    // Classes and the types for which they are needed, as registered.
    std::map<std::string, std::string> typesOf;
    // The op of every node, in order, without a kernel in TensorFlow 1.15.
    std::vector<std::string> missing;

    std::set<std::string> ops() const;
};

// Adds the kernels for the nodes of a graph and of the functions that they call.
void addNeeded(const Graph& graph, const KernelClasses& kernels, NeededKernels& needed);

} // namespace lapidary
