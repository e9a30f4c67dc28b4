// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/layer_form.h"
#include "transforms/layers/layer_weights.h"

#include <vector>

namespace lapidary {

// What rounding does to the weights of one layer, told without a run.
class WeightNoise {
public:
    // Refers to the weights. O(values).
    explicit WeightNoise(const LayerWeights& weights);

    // Squared error over squared weights. Where the next layer makes up for the size of a channel,
    // all channels count alike; where it does not, each counts as much as it is large. Which of
    // both holds is not known: this is the mean of their orders of magnitude. O(values).
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
