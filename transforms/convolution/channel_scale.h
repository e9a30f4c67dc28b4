// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <span>

namespace lapidary {

// Returns the number of output channels of a Conv2D, DepthwiseConv2dNative or MatMul with these
// weights; the message of the error says why they cannot be scaled one by one (rank, transposed
// weights).
Result<std::int64_t> outputChannels(const Node& conv, const Node& weights);

// Returns the Const `weights` with w[i] * factors[i mod C], C output channels as the last axis or
// axes.
Result<NodeDraft> scaledWeights(const Node& conv, const Node& weights,
                                std::span<const float> factors);

// The parameter of passes that scale a layer's bias along with its weights.
inline constexpr ParameterSpec throughBiasParameter{
    .name = "through_bias",
    .type = ParameterType::Bool,
    .defaultText = "false",
    .help = "also fold through a BiasAdd or Add of a constant vector"};

} // namespace lapidary
