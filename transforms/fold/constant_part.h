// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/shapes/infer_shapes.h"
#include "transforms/fold/fold_request.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

// Limits of what fold_constants may compute.
struct FoldLimits {
    std::set<std::string, std::less<>> excludedOps;
    std::set<std::string, std::less<>> excludedNodes;
};

// The part of a graph that does not depend on what is fed.
struct ConstantPart {
    std::vector<bool> isConstant; // by node
    // Shape, Size and Rank of tensors whose shape is known: one list of numbers for each output.
    std::map<NodeId, std::vector<std::vector<std::int64_t>>> shapes;
    // The nodes outside of this part that must be executed before each of its nodes; sorted.
    std::map<NodeId, std::vector<NodeId>> waitsFor;
    bool hasWork = false; // there is more than Consts

    bool contains(NodeId id) const { return isConstant[id.value]; }
};

// `order`: the nodes to look at, producers first.
ConstantPart findConstantPart(const Graph& graph, const std::vector<NodeId>& order,
                              const FoldRequest& request, const InferredShapes& shapes,
                              const FoldLimits& limits);

} // namespace lapidary
