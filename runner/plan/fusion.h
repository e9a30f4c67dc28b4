#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Nodes that are computed as one: a convolution or product and what follows it. `members` in the
// order of their work; the last one's name is that of the node that computes them all. `weights`:
// floating point operations for each element of the result, the rule by which the measured time is
// shared.
struct Fusion {
    std::vector<NodeId> members;
    std::vector<double> weights;
};

// A graph to be executed in the place of another one. The same nodes at the same ids under the same
// names; only the last node of each fusion has become another op. Its inner nodes are still there:
// whoever fetches one gets it, computed on its own.
struct FusedGraph {
    GraphPtr graph; // the very same where nothing was fused
    std::vector<Fusion> fusions;
    GraphPtr original = nullptr; // what was fused, where something was
};

// Fuses float Conv2D and DepthwiseConv2dNative in NHWC with constant filters, and MatMul with
// constant weights that no other node reads, and what follows them and is read by nobody else:
//   (BiasAdd | Add, Sub or Mul of a constant by channel | FusedBatchNorm of constants)*
//   (Add of another tensor)?  (Relu | Relu6)?
// Also chains of 8-bit codes; see code_chains.h and range_chains.h. Behind a product only BiasAdd,
// Add and Sub of a constant by column, Relu and Relu6. Weights that come through Identity, or into
// a loop, are read from the constant itself. O(nodes + edges).
FusedGraph fuseGraph(const GraphPtr& graph);

} // namespace lapidary
