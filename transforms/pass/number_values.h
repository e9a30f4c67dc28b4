// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// Parse a whole text as a number, white space around it allowed: "-12", and for floats also "1e-3",
// "inf", "nan" and hexadecimal floats. Return nothing if other text remains.
std::optional<std::int64_t> integerValue(std::string_view text);
std::optional<float> floatValue(std::string_view text);

} // namespace lapidary
