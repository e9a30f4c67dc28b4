// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// The result of an op that computes the gradient of a convolution: for its data or for its filter.
// Its inputs are two of data, filter and sizes, and as the last one the gradient of the output.
enum class BackwardWork : std::uint8_t { None, Data, Filter, DepthwiseData, DepthwiseFilter };

BackwardWork backwardWork(std::string_view op);

} // namespace lapidary
