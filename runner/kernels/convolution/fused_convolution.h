// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// The op by which a plan replaces a convolution and what follows it; it is in no file.
// Attributes: those of the convolution, `conv` (its op), `stages` (joined by commas, in order),
// `epsilon` and its name, which errors begin with. Inputs: the convolution's, then those of each
// stage.
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
