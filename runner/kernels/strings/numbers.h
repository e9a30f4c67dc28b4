// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// A decimal integer that fits the dtype (int32 or int64), spaces around it allowed; no plus sign.
std::optional<std::int64_t> parseInteger(std::string_view text, DType dtype);
// A decimal or hexadecimal number, "inf" or "nan", spaces around it allowed. Too large: infinity.
std::optional<double> parseFloating(std::string_view text);
// Parses a number and rounds it once to float.
std::optional<float> parseFloat32(std::string_view text);

} // namespace lapidary
