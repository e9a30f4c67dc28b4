#pragma once

#include "graph_model/graph/graph.h"
#include "runner/kernels/kernel.h"
#include "runner/shapes/shape_facts.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lapidary {

// Follows the values of small tensors that say shapes, axes and sizes: exactly where the kernels
// can compute them, element by element where only some are known. Values that differ from run to
// run, or that a feed may replace, are never known.
class ValueFolder {
public:
    ValueFolder();

    // Sets `known` and `handle` of the outputs, whose shapes are inferred already.
    void fold(const Node& node, std::span<const TensorState> inputs,
              std::span<TensorState> outputs);

private:
    KnownValuesPtr constant(const Node& node);
    void runKernel(const Node& node, std::span<const TensorState> inputs,
                   std::span<TensorState> outputs);
    std::optional<Value> complete(const TensorState& state);
    KnownValuesPtr valuesOf(const Value& value);

    SessionState m_session;
    std::int64_t m_budget; // elements that may still be kept
};

} // namespace lapidary
