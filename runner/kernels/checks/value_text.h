// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <string>

namespace lapidary {

// Returns at most `limit` elements (negative: all) as TensorFlow prints a tensor: "1 2 3...", "[1
// 2][3 4]".
std::string summaryText(const Value& value, std::int64_t limit);
// Returns the first and last `edge` elements of each axis (negative: all), in brackets: "[1 2 ... 8
// 9]".
std::string edgesText(const Value& value, std::int64_t edge);
// Returns one element; floating-point numbers have as many digits as reading them back needs.
std::string elementText(const Value& value, std::size_t i);

} // namespace lapidary
