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

// Tells whether a layer can have such a product.
bool isLayerOp(std::string_view op);

// The layer with this product. The error's message says what is missing, without the product's
// name: "w is also read by b".
Result<Layer> layerAt(const Graph& graph, NodeId product);

// Every layer of the graph, in execution order.
std::vector<Layer> layersOf(const Graph& graph);

// The nodes that read outputs of a node, each once; those that only wait for it do not count.
std::vector<NodeId> dataReaders(const Graph& graph, NodeId id);
// The k-th input that is a tensor; an invalid node if there is none.
Endpoint dataInput(const Graph& graph, NodeId id, std::size_t k);
// A float Const.
bool isFloatConst(const Graph& graph, NodeId id);

} // namespace lapidary
