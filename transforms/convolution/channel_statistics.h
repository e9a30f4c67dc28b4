// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <span>
#include <string_view>
#include <vector>

namespace lapidary {

// The mean and the standard deviation that a batch normalization expects for each channel of its
// result. Both are empty if they are not known.
struct ChannelStatistics {
    std::vector<float> mean;
    std::vector<float> deviation;

    bool isEmpty() const { return mean.empty(); }
};

// Attributes of the constant that a folded normalization adds. TensorFlow ignores names that begin
// with an underscore.
inline constexpr std::string_view meanAttr = "_bn_mean";
inline constexpr std::string_view deviationAttr = "_bn_deviation";

// Returns the statistics that the constant carries; empty unless there are as many as it has
// channels.
ChannelStatistics keptStatistics(const Node& bias, std::size_t channels);
void keepStatistics(const ChannelStatistics& statistics, NodeDraft& bias);
// Divides the statistics by a positive factor for each channel. A draft without them stays as it
// is.
void divideStatistics(std::span<const double> factors, const Node& bias, NodeDraft& draft);

} // namespace lapidary
