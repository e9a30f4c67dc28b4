// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// The op of a node that replaces a convolution and the nodes after it that work channel by channel,
// in float, in a plan; it is in no file. Attributes: those of the convolution, `stages` (joined by
// commas, in order) and `stage_nodes` (the names of the convolution and the sum, for messages).
// Inputs: the convolution's, then that of each stage. Outputs: the result, its smallest and largest
// number.
inline constexpr std::string_view fusedRealsOp = "_LapidaryReals";
inline constexpr std::uint32_t fusedRealsOutputs = 3;

// Every operation is rounded like that of the node that it replaces. Each stage occurs at most
// once, in this order.
namespace real_stages {
inline constexpr std::string_view codes = "codes"; // a QuantizedConv2D, followed by Dequantize
inline constexpr std::string_view depthwise = "depthwise"; // or a DepthwiseConv2dNative
inline constexpr std::string_view scale = "scale";         // * a number for each channel
inline constexpr std::string_view shift = "shift";         // + a number for each channel
inline constexpr std::string_view sum = "sum";             // + another tensor, only after codes
inline constexpr std::string_view relu = "relu";
inline constexpr std::string_view relu6 = "relu6";
inline constexpr std::string_view clip =
    "clip"; // Minimum with a number for each channel; not after a sum
} // namespace real_stages

} // namespace lapidary
