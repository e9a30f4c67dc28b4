// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/shapes/shape_facts.h"

#include <cstdint>
#include <functional>
#include <span>

namespace lapidary {

// Runs an op whose inputs are all known and sets `known` of the outputs that it gave; does nothing
// for ops that it cannot run. Supplied by a layer that has kernels; shapes and dtypes are set.
using FoldKernel = std::function<void(const Node& node, std::span<const TensorState> inputs,
                                      std::span<TensorState> outputs)>;

// Elements that may be kept of a tensor of that dtype: -1 for dtypes whose values are not followed.
std::int64_t mostKnownElements(DType dtype);
// Integers and bools are kept in KnownValues::items, other numbers in KnownValues::floats.
bool isKeptAsItems(DType dtype);

// Follows the values of small tensors that say shapes, axes and sizes: exactly where `kernel` can
// compute them, element by element where only some are known. Values that differ from run to run,
// or that a feed may replace, are never known.
class ValueFolder {
public:
    // `kernel` may be empty: then only what says shapes most often is computed.
    explicit ValueFolder(FoldKernel kernel);

    // Sets `known` and `handle` of the outputs, whose shapes are inferred already.
    void fold(const Node& node, std::span<const TensorState> inputs,
              std::span<TensorState> outputs);

private:
    KnownValuesPtr constant(const Node& node);
    void compute(const Node& node, std::span<const TensorState> inputs,
                 std::span<TensorState> outputs);

    FoldKernel m_kernel;
    std::int64_t m_budget; // elements that may still be kept
};

} // namespace lapidary
