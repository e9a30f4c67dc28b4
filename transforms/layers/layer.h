// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A convolution or product with constant weights that no other node reads, and the constant vector
// that is added after it.
struct Layer {
    NodeId product;          // Conv2D, DepthwiseConv2dNative or MatMul
    NodeId weights;          // its float Const
    NodeId sum;              // BiasAdd, Add or AddV2, the only reader of the product; invalid: none
    NodeId bias;             // the float Const that only `sum` reads; invalid: none
    std::int64_t inputs = 0; // channels that the product reads
    std::int64_t outputs = 0; // channels that it makes

    NodeId end() const { return sum.isValid() ? sum : product; }
};

// Returns whether the product of a layer can have this op.
bool isLayerOp(std::string_view op);

// Returns the layer with this product. The error's message says what is missing, without the
// product's name: "w is also read by b".
Result<Layer> layerAt(const Graph& graph, NodeId product);

// Returns every layer of the graph, in execution order.
std::vector<Layer> layersOf(const Graph& graph);

// Returns the nodes that read outputs of a node, each once; control edges do not count.
std::vector<NodeId> dataReaders(const Graph& graph, NodeId id);
// Returns the k-th input that is a tensor; its node is invalid if there is none.
Endpoint dataInput(const Graph& graph, NodeId id, std::size_t k);
// Returns whether a node is a float Const.
bool isFloatConst(const Graph& graph, NodeId id);

} // namespace lapidary
