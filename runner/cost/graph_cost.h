// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/shapes/infer_shapes.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lapidary {

struct NodeCost {
    std::int64_t flops = 0;       // the original's estimate for one execution
    std::int64_t parameters = 0;  // elements of a constant or variable
    std::int64_t outputBytes = 0; // bytes of computed tensors; 0 for constants and variables
    std::int64_t inputBytes = 0;  // bytes of the tensors that it reads, parameters among them
    bool isCertain = true;        // false: a size that this needs is unknown
};

// The cost of one run, as far as shapes determine it before any run. Loops count once.
struct GraphCost {
    std::vector<NodeCost> nodes; // by NodeId
    std::int64_t flops = 0;
    std::int64_t parameters = 0;
    std::int64_t parameterBytes = 0;
    std::int64_t activationPeak = 0; // bytes of computed tensors that live at the same time
    // the node at which this sum is reached; invalid if nothing is computed
    NodeId peakNode;
    std::int64_t uncertainNodes = 0;
    std::map<std::string, NodeCost, std::less<>> scopes; // "a", "a/b"...: sums over what is in them
};

// Returns the cost of each node in topologicalOrder(); sums stop at the largest number that fits.
// The operators of a .tflite or .onnx file cost as much as the nodes that liftGraph() makes of
// them. O(nodes x depth of scopes).
Result<GraphCost> costOf(const Graph& graph, const InferredShapes& shapes, const Job& job);

struct ActivationPeak {
    std::int64_t bytes = 0;
    NodeId node;
};
// Returns the largest sum of bytes of computed tensors that are still to be read. Ops that only
// pass on or rename their input add nothing; constants and variables do not count.
ActivationPeak activationPeak(const Graph& graph, const InferredShapes& shapes);
// Returns the bytes of one tensor; 0 if unknown.
std::int64_t tensorBytes(const TensorLabel& label);
// Returns a + b, or the largest number if that overflows.
std::int64_t saturatedSum(std::int64_t a, std::int64_t b);
bool isParameter(const Node& node); // a constant or a variable

} // namespace lapidary
