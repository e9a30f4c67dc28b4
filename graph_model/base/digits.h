// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace lapidary {

// Formats like printf's %.6g.
std::string sixDigits(double value);
// Returns the fewest digits that read back as the same number.
std::string shortestDigits(double value);
std::string shortestDigits(float value);

// Parses a number. Returns nothing if the text contains anything else or if the number is out of
// range.
template <class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

} // namespace lapidary
