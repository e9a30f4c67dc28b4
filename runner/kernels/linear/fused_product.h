// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// The op of a node that replaces a MatMul with constant weights and the nodes after it in a plan;
// it is in no file. Attributes: those of the MatMul and `stages` (fused_stages shift, minus, relu,
// relu6; joined by commas, in order). Inputs: the matrix, the weights, then a vector for each
// shift.
inline constexpr std::string_view fusedProductOp = "_LapidaryProduct";

} // namespace lapidary
