// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/layer_form.h"
#include "transforms/layers/layer_weights.h"

#include <vector>

namespace lapidary {

// Estimates the rounding error of one layer's weights without running the graph.
class WeightNoise {
public:
    // Refers to the weights. O(values).
    explicit WeightNoise(const LayerWeights& weights);

    // Squared error divided by squared weights. If the next layer compensates for the scale of a
    // channel, all channels weigh the same; if it does not, a channel weighs in with its size.
    // Which of the two is true is unknown, so this is their geometric mean. O(values).
    double of(LayerForm form) const;

private:
    double stepOf(LayerForm form) const;
    double scaleOf(std::size_t channel, LayerForm form) const;

    const LayerWeights& m_weights;
    std::vector<double> m_low; // by output channel
    std::vector<double> m_high;
    std::vector<double> m_energy;
};

} // namespace lapidary
