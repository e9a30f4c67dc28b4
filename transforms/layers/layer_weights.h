// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/layers/layer.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// The weights of a layer with the channels that each value belongs to, and its bias.
struct LayerWeights {
    std::vector<float> values; // row-major
    std::vector<float> bias;   // empty: none
    std::size_t inputs = 1;
    std::size_t outputs = 1;
    std::size_t inner = 1; // values between one input channel and the next

    std::size_t inputOf(std::size_t i) const { return i / inner % inputs; }
    std::size_t outputOf(std::size_t i) const { return i % outputs; }

    // Return max |w| of each channel that the layer makes, or reads. O(values).
    std::vector<double> largestByOutput() const;
    std::vector<double> largestByInput() const;
    // Returns the sum of w of each output channel for one input channel. O(values).
    std::vector<double> sumsOfInput(std::size_t input) const;
};

// The error's message says what is wrong with the values, NaN and infinity included.
Result<LayerWeights> readWeights(const Graph& graph, const Layer& layer);

// Returns a copy of a Const with other values of the same shape.
NodeDraft withValues(const Node& node, std::span<const float> values);

} // namespace lapidary
