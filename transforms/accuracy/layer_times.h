// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/form_noises.h"
#include "transforms/accuracy/graph_timer.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// The time of a layer in one run, in nanoseconds.
struct LayerTime {
    std::int64_t inFloat = 0;
    std::int64_t in8Bits = 0; // including the nodes that make its codes
};

// Measures each layer in a run of the graph, and in one where all layers compute in 8 bits.
Result<std::vector<LayerTime>> layerTimes(const GraphPtr& graph,
                                          const std::vector<NoisyLayer>& layers, GraphTimer& timer,
                                          const Job& job);

} // namespace lapidary
