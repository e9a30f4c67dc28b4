// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// The gradient of a convolution, for its data or for its filter, which is then the result; inputs
// are two of the three and, as the last one, what comes back.
enum class BackwardWork : std::uint8_t { None, Data, Filter, DepthwiseData, DepthwiseFilter };

BackwardWork backwardWork(std::string_view op);

} // namespace lapidary
