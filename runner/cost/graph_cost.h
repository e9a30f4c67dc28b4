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
    std::int64_t outputBytes = 0; // of tensors that are computed; 0 for constants and variables
    bool isCertain = true;        // false: a size that this needs is not known
};

// What one run costs, as far as shapes tell before any run. Loops count once.
struct GraphCost {
    std::vector<NodeCost> nodes; // by NodeId
    std::int64_t flops = 0;
    std::int64_t parameters = 0;
    std::int64_t parameterBytes = 0;
    std::int64_t activationPeak = 0; // bytes of computed tensors that live at the same time
    NodeId peakNode;                 // where that is; invalid where nothing is computed
    std::int64_t uncertainNodes = 0;
    std::map<std::string, NodeCost, std::less<>> scopes; // "a", "a/b"...: sums over what is in them
};

// In the order of topologicalOrder(); sums stop at the largest number that fits. O(nodes x depth of
// scopes).
Result<GraphCost> costOf(const Graph& graph, const InferredShapes& shapes, const Job& job);

struct ActivationPeak {
    std::int64_t bytes = 0;
    NodeId node;
};
// The largest sum of bytes of tensors that were computed and are still to be read. Ops that only
// pass on or rename their input add nothing; constants and variables do not count.
ActivationPeak activationPeak(const Graph& graph, const InferredShapes& shapes);
// Bytes of one tensor; 0 where that is not known.
std::int64_t tensorBytes(const TensorLabel& label);
// a + b, or the largest number.
std::int64_t saturatedSum(std::int64_t a, std::int64_t b);
bool isParameter(const Node& node); // a constant or a variable

} // namespace lapidary
