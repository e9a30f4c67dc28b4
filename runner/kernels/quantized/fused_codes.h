// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// The op of a node that replaces a QuantizedConv2D, a QuantizedAdd or a QuantizedBiasAdd and the
// nodes after it, up to 8-bit codes, in a plan; it is in no file. Attributes: those of the first
// node and `stages` (joined by commas, in order). Inputs: the first node's, then those of each
// stage. Outputs: codes, min, max.
inline constexpr std::string_view fusedCodesOp = "_LapidaryCodes";
inline constexpr std::uint32_t fusedCodesOutputs = 3;
// The op of a node that replaces a QuantizeV2 whose range is that of its input in a plan. Inputs:
// x, and its range if the node that computes x reports it. Attributes and outputs: those of
// QuantizeV2.
inline constexpr std::string_view fusedRangeOp = "_LapidaryQuantize";
// Attribute `stage_nodes`: the names of the first node and of each stage's, for messages.
inline constexpr char stageNodesMark = '\n';

namespace code_stages {
inline constexpr std::string_view add = "add";       // as the first: the node is a QuantizedAdd
inline constexpr std::string_view biased = "biased"; // as the first: it is a QuantizedBiasAdd
inline constexpr std::string_view shrink = "shrink"; // Requantize to the range in use
inline constexpr std::string_view requantize = "requantize"; // Requantize to a range: min, max
inline constexpr std::string_view bias = "bias";             // QuantizedBiasAdd: bias, min, max
inline constexpr std::string_view relu = "relu";
inline constexpr std::string_view relu6 = "relu6";
} // namespace code_stages

} // namespace lapidary
