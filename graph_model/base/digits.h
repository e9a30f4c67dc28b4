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
// Returns as few digits as give the same number again.
std::string shortestDigits(double value);
std::string shortestDigits(float value);

// Returns the number that the whole text is; nothing where it is more, less or out of range.
template <class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

} // namespace lapidary
