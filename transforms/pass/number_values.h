// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// A whole text as a number, white space around it allowed: "-12", and for floats also "1e-3",
// "inf", "nan" and hexadecimal floats. Nothing where anything else is left.
std::optional<std::int64_t> integerValue(std::string_view text);
std::optional<float> floatValue(std::string_view text);

} // namespace lapidary
