// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// The op of a node that replaces a convolution and the nodes after it in a plan; it is in no file.
// Attributes: those of the convolution, `conv` (its op), `stages` (joined by commas, in order),
// `epsilon` and fusedHeadAttr, with which errors begin. Inputs: the convolution's, then those of
// each stage.
inline constexpr std::string_view fusedConvolutionOp = "_LapidaryConvolution";

namespace fused_stages {
inline constexpr std::string_view shift = "shift"; // + vector by channel
inline constexpr std::string_view minus = "minus"; // - vector by channel
inline constexpr std::string_view scale = "scale"; // * vector by channel
inline constexpr std::string_view norm = "norm";   // scale, offset, mean, variance
inline constexpr std::string_view sum = "sum";     // + another tensor
inline constexpr std::string_view relu = "relu";
inline constexpr std::string_view relu6 = "relu6";
} // namespace fused_stages

} // namespace lapidary
