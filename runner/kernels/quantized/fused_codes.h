// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// The op by which a plan replaces a QuantizedConv2D, a QuantizedAdd or a QuantizedBiasAdd and what
// follows it up to codes of 8 bits; it is in no file. Attributes: those of the first node and
// `stages` (joined by commas, in order). Inputs: the first node's, then those of each stage.
// Outputs: codes, min, max.
inline constexpr std::string_view fusedCodesOp = "_LapidaryCodes";
inline constexpr std::uint32_t fusedCodesOutputs = 3;
// The op by which a plan replaces a QuantizeV2 whose range is that of its input. Inputs: x, and its
// range if the node that computes x reports it; attributes and outputs: those of QuantizeV2.
inline constexpr std::string_view fusedRangeOp = "_LapidaryQuantize";
// Attribute `stage_nodes`: the names of the first node and of each stage's, for messages.
inline constexpr char stageNodesMark = '\n';

namespace code_stages {
inline constexpr std::string_view add = "add";       // first: what comes before is a QuantizedAdd
inline constexpr std::string_view biased = "biased"; // likewise a QuantizedBiasAdd
inline constexpr std::string_view shrink = "shrink"; // Requantize to the range in use
inline constexpr std::string_view requantize = "requantize"; // Requantize to a range: min, max
inline constexpr std::string_view bias = "bias";             // QuantizedBiasAdd: bias, min, max
inline constexpr std::string_view relu = "relu";
inline constexpr std::string_view relu6 = "relu6";
} // namespace code_stages

} // namespace lapidary
