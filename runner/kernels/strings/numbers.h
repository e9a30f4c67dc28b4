// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// Parses a decimal integer that fits the dtype (int32 or int64). Spaces around it are allowed, a
// plus sign is not.
std::optional<std::int64_t> parseInteger(std::string_view text, DType dtype);
// Parses a decimal or hexadecimal number, "inf" or "nan". Spaces around it are allowed. Numbers
// that are too large become infinity.
std::optional<double> parseFloating(std::string_view text);
// Parses a number and rounds it once to float.
std::optional<float> parseFloat32(std::string_view text);

} // namespace lapidary
