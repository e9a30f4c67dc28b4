// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/shapes/shape_facts.h"

#include <cstdint>
#include <functional>
#include <span>

namespace lapidary {

// Runs an op whose inputs are all known and sets `known` of the outputs that it computed; shapes
// and dtypes are set already. Does nothing for ops that it cannot run. Supplied by a layer that has
// kernels.
using FoldKernel = std::function<void(const Node& node, std::span<const TensorState> inputs,
                                      std::span<TensorState> outputs)>;

// Returns the number of elements to keep of a tensor of that dtype; -1 for dtypes whose values are
// not followed.
std::int64_t mostKnownElements(DType dtype);
// Returns whether values are stored in KnownValues::items (integers and bools), not in floats.
bool isKeptAsItems(DType dtype);

// Follows the values of small tensors that are used as shapes, axes and sizes: exactly if `kernel`
// can compute them, element by element if only some are known. Values that differ from run to run,
// or that a feed may replace, are never known.
class ValueFolder {
public:
    // If `kernel` is empty, only the ops that most often compute shapes are followed.
    explicit ValueFolder(FoldKernel kernel);

    // Sets `known` and `handle` of the outputs, whose shapes must be inferred already.
    void fold(const Node& node, std::span<const TensorState> inputs,
              std::span<TensorState> outputs);

private:
    KnownValuesPtr constant(const Node& node);
    void compute(const Node& node, std::span<const TensorState> inputs,
                 std::span<TensorState> outputs);

    FoldKernel m_kernel;
    std::int64_t m_budget; // number of elements that may still be kept
};

} // namespace lapidary
