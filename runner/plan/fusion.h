// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Nodes that are computed as one: a convolution or product and the nodes after it. `members` are in
// the order of execution; the last one's name is that of the node that computes them all.
// `weights`: floating-point operations for each element of the result, by which the measured time
// is shared.
struct Fusion {
    std::vector<NodeId> members;
    std::vector<double> weights;
};

// A graph that is executed instead of another one. It has the same nodes with the same IDs and
// names; only the last node of each fusion has another op. The inner nodes still exist: a fetch of
// one computes it on its own.
struct FusedGraph {
    GraphPtr graph; // the same pointer if nothing was fused
    std::vector<Fusion> fusions;
    GraphPtr original = nullptr; // the graph before; null if nothing was fused
};

// Fuses float Conv2D and DepthwiseConv2dNative in NHWC with constant filters, and MatMul with
// constant weights that no other node reads, with the nodes after them that have no other readers:
//   (BiasAdd | Add, Sub or Mul of a constant by channel | FusedBatchNorm of constants)*
//   (Add of another tensor)?  (Relu | Relu6)?
// Also fuses chains of quantized values; see code_chains.h, real_chains.h and range_chains.h. After
// a product only BiasAdd, Add and Sub of a constant by column, Relu and Relu6 are fused. Weights
// that pass through Identity, or into a loop, are read from the constant itself. `decodesWeights`:
// codes of weights that the graph itself converts to floats are not multiplied as codes. O(nodes +
// edges).
FusedGraph fuseGraph(const GraphPtr& graph, bool decodesWeights = false);

} // namespace lapidary
